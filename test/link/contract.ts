import { afterEach, beforeEach, describe } from "vitest";
import { toolTest } from "../tools.ts";
import { linesContract } from "./contract-lines.ts";
import { statesContract } from "./contract-states.ts";
import { writingContract } from "./contract-writing.ts";
import { type Bench, Rig } from "./rig.ts";

/**
 * What every link promises, whatever carries its bytes.
 * @param tools programs that the bench needs
 */
export function linkContract(name: string, makeBench: () => Promise<Bench>, tools: string[] = []): void {
  describe(`the contract of a link: ${name}`, () => {
    const rig = new Rig();
    const test = toolTest(tools);
    beforeEach(async () => rig.start(await makeBench()));
    afterEach(() => rig.end());

    linesContract(rig, test);
    writingContract(rig, test);
    statesContract(rig, test);
  });
}
