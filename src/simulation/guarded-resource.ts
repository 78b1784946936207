/**
 * A resource that refuses late writers by their fence (epoch, grant), the partner of leases: it takes no fence lower
 * than the highest it has seen. Source: M. Kleppmann, "How to do distributed locking", 2016 (fencing tokens);
 * C. Gray and D. Cheriton, "Leases", SOSP 1989.
 */

export type WriteVerdict = "opened" | "accepted" | "refused";

export class GuardedResource {
  /** Highest fence seen. */
  epoch = -1;
  grant = -1;

  /** The entry of a station: what was written under an earlier fence is complete from now on. */
  open(epoch: number, grant: number): WriteVerdict {
    return this.#passes(epoch, grant) ? "opened" : "refused";
  }

  /** A write at the end of an entry. */
  write(epoch: number, grant: number): WriteVerdict {
    return this.#passes(epoch, grant) ? "accepted" : "refused";
  }

  #passes(epoch: number, grant: number): boolean {
    if (epoch < this.epoch || (epoch === this.epoch && grant < this.grant)) return false;
    this.epoch = epoch;
    this.grant = grant;
    return true;
  }
}
