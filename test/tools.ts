import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type TestOptions, test } from "vitest";

type TestBody = () => void | Promise<void>;
type DefineTest = (name: string, body: TestBody, options?: number | TestOptions) => void;

/** Finds a program on the PATH, as a shell would. */
export function findTool(name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(isExecutable);
}

/**
 * Defines a test that needs programs from outside the project, as `toolTest(["tshark"])("reads the file", () => ...)`.
 * Where one is missing, the test is skipped and its name says why. Continuous integration installs them all, so there
 * the test fails instead.
 * @param tools names of programs on the PATH
 */
export function toolTest(tools: readonly string[]): DefineTest {
  const missing = tools.filter((tool) => findTool(tool) === undefined);
  if (missing.length === 0) return (name, body, options) => test(name, toOptions(options), body);
  const reason = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed`;
  if (process.env.CI) {
    return (name) =>
      test(name, () => {
        throw new Error(`${reason}: .ci/run installs what the tests need`);
      });
  }
  return (name, body, options) => test.skip(`${name} (skipped: ${reason})`, toOptions(options), body);
}

/** Path of the Espruino binary that ESPRUINO names, undefined when it names none. */
export const espruino: string | undefined = process.env.ESPRUINO || undefined;

/**
 * Defines a test on a real Espruino: `espruinoTest("answers", (binary) => ...)`. It is skipped where the environment
 * variable ESPRUINO is not set, also in continuous integration; a wrong path fails.
 */
export function espruinoTest(
  name: string,
  body: (binary: string) => void | Promise<void>,
  options?: number | TestOptions,
): void {
  if (espruino === undefined) {
    test.skip(`${name} (skipped: set ESPRUINO to an Espruino binary)`, () => {});
    return;
  }
  test(name, toOptions(options), async () => {
    if (!isExecutable(espruino)) throw new Error(`ESPRUINO is ${espruino}, which is no program`);
    await body(espruino);
  });
}

function toOptions(options: number | TestOptions | undefined): TestOptions {
  return typeof options === "number" ? { timeout: options } : (options ?? {});
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
