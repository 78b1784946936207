// The states of the mutual exclusion protocols apart from the token ring. Types only: nothing of this reaches a board.

export interface LamportState {
  /** Lamport clock. */
  clock: number;
  /** Timestamp of the own last request. */
  stamp: number;
  /** Ids from which nothing later than the own request was heard yet. */
  missing: number[];
  /** The queue of requests: ids, and beside each its timestamp; in no order. */
  ids: number[];
  stamps: number[];
}

export interface RicartState {
  clock: number;
  /** Timestamp of the own last request. */
  stamp: number;
  /** Ids whose REPLY is still to come. */
  missing: number[];
  /** Ids that get their REPLY when this station leaves, and beside each the timestamp of its request. */
  deferred: number[];
  stamps: number[];
}

export interface MaekawaState {
  clock: number;
  /** Timestamp of the own last request. */
  stamp: number;
  /** Ids of the own quorum; empty until the first request. */
  quorum: number[];
  /** Members of the quorum whose vote is still to come. */
  missing: number[];
  /** Those among them that said FAILED, or got their vote back. */
  failed: number[];
  /** Members that want their vote back, should this station fail elsewhere. */
  inquiries: number[];
  /** The voter: who has the vote (-1: nobody), for which request, and was it asked to give it back? */
  vote: number;
  voteStamp: number;
  inquired: boolean;
  /** Requests that wait for the vote, the first in order first; and was FAILED said to each? */
  ids: number[];
  stamps: number[];
  told: boolean[];
}

export interface SuzukiState {
  /** The epoch in which this station last took part; a token of an older one is void. */
  epoch: number;
  /** Highest number of a request heard from each member, by its place in the list of members. */
  rn: number[];
  held: boolean;
  /** Passes of the token: the latest seen here. */
  hop: number;
  /** The token, where it is held: entries granted, number of the last request served of each member, who waits. */
  grant: number;
  ln: number[];
  queue: number[];
}

export interface RaymondState {
  epoch: number;
  /** The neighbour in the tree on whose side the token is; the station's own id when it is here. */
  holder: number;
  /** Neighbours, or the station itself, that want the token, in order. */
  queue: number[];
  /** A REQUEST to the holder is out. */
  asked: boolean;
  hop: number;
  grant: number;
}

export interface CentralState {
  /** The client: number of its last request, and of the RELEASE that is not confirmed yet (0: none). */
  number: number;
  releasing: number;
  /** Whom it asked last, in which epoch, when (ms), and has the REQUEST arrived? */
  askedOf: number;
  askedIn: number;
  askedAt: number;
  asked: boolean;
  /** The coordinator: the epoch in which it serves (0: none), entries granted in it, who is inside (-1: nobody). */
  epoch: number;
  grant: number;
  holder: number;
  holderNumber: number;
  /** Its GRANT has arrived. */
  granted: boolean;
  ids: number[];
  numbers: number[];
}

export interface VotingState {
  clock: number;
  /** Number of the own last attempt, and how many have failed since the request. */
  attempt: number;
  failures: number;
  /** Coordinators whose answer is still to come, and those that granted. */
  missing: number[];
  granted: number[];
  /** The coordinator's part: who has the vote (-1: nobody), and in which attempt. */
  vote: number;
  voteAttempt: number;
}
