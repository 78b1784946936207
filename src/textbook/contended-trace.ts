/** The contended trace of the textbook: eight stations, 64 slots, and in each slot those that ask at the same time. */
import traces from "./contended-trace.json" with { type: "json" };

/** By the mean number of stations that ask in a slot: the slots in which anyone asks, each the ids that do. */
export const CONTENDED: { readonly [meanContenders: string]: readonly (readonly number[])[] } = traces;

/** Stations of the trace. */
export const CONTENDED_STATIONS = 8;
