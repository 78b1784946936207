/** The picture of a run, or of a window of it. */
import type { RunSource } from "../file/source.ts";
import { drawScene, PAGE, pageOf } from "./draw.ts";
import { extentOf, gather } from "./gather.ts";
import type { Scene } from "./scene.ts";

/** Rows on one page at most. */
const MOST_STATIONS = 250;
/** Where the ring's limit for its token is not known, it is missed after so many pixels. */
const MISSED = 40;

/**
 * Reads the run twice.
 * @param size of the page in pixels; a ring of more than 40 stations makes it higher
 * @returns the scene; yields now and then, so that the caller gets a turn
 */
export function* pictureOf(source: RunSource, size = PAGE): Generator<string, Scene, void> {
  const { header } = source;
  const stations = header.stations.slice(0, MOST_STATIONS);
  const extent = yield* extentOf(source);
  const page = pageOf(stations, size);
  const step = (extent.to - extent.from) / (page.right - page.left);
  const limit = (header.limits?.token ?? (MISSED * step) / 1000) * 1000;
  const run = yield* gather(source, extent, step, new Set(stations), limit);
  return drawScene(header, run, page);
}
