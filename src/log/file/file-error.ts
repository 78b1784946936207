import { quote, UsageError } from "../../errors.ts";

/** Says in one line why a file could not be opened, read or written, and what to try. */
export function fileError(path: string, doing: "open" | "read" | "write", cause: unknown): UsageError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const name = quote(path);
  const say = (words: string) => new UsageError(`${name}: ${words}`, { cause });
  switch (code) {
    case "EISDIR":
      return say("is a folder; give the name of a file");
    case "ENOENT":
      return say(
        doing === "read" ? "no such file" : "no such folder; make it first, or choose another place",
      );
    case "ENOTDIR":
      return say("a part of this path is a file, not a folder");
    case "EACCES":
    case "EPERM":
      return say(`no permission to ${doing === "read" ? "read" : "write"} here; choose another place`);
    case "EROFS":
      return say("this disk is read-only; choose another place");
    case "ENAMETOOLONG":
      return say("this name is too long");
    case "ENOSPC":
    case "EDQUOT":
      return say("the disk is full; make room, or choose another disk");
    case "EFBIG":
      return say("the file is as large as this disk allows");
    case "EPIPE":
      return say("the program that reads it is gone");
    default:
      return say(`could not ${doing}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
