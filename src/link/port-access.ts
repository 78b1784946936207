import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import type { PortAccess } from "./errors.ts";

/** Group and mode of a port, undefined where the system does not tell (Windows, or the port is gone). */
export function portAccess(path: string): PortAccess | undefined {
  try {
    const { gid, mode } = statSync(path);
    return { ...groupOf(gid), mode: mode & 0o777 };
  } catch {
    return undefined;
  }
}

function groupOf(gid: number): { group: string; listed: boolean } {
  try {
    // A line is `name:password:number:member,member`.
    for (const line of readFileSync("/etc/group", "utf8").split("\n")) {
      const [name = "", , number, members = ""] = line.split(":");
      if (Number(number) !== gid || name === "") continue;
      return { group: name, listed: members.split(",").includes(userInfo().username) };
    }
  } catch {
    // No group file, or a user without a name: the number still says something.
  }
  return { group: String(gid), listed: false };
}

/**
 * Programs beside this one that have a port open: what one of them reads, nobody else gets. Only Linux tells, and only of
 * programs of the same user unless asked by root.
 * @returns name and process number of each
 */
export function otherReaders(path: string): string[] {
  try {
    const port = realpathSync(path);
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && hasOpen(pid, port))
      .map((pid) => `${readFileSync(`/proc/${pid}/comm`, "latin1").trim()} (process ${pid})`);
  } catch {
    return [];
  }
}

function hasOpen(pid: string, port: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === port;
      } catch {
        return false;
      }
    });
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}
