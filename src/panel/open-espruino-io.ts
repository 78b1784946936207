/** Boards for Johnny-Five, by a station of a ring or by a port. board-io is loaded only now. */
import { shippedProfiles } from "../bench-file/profiles.ts";
import { UsageError } from "../errors.ts";
import { BoardStation } from "../host/ring/board-station.ts";
import type { RingStation } from "../host/ring/ring-station.ts";
import { linkTo } from "../link/open.ts";
import type { EspruinoIO } from "./espruino-io.ts";

export type { EspruinoIO } from "./espruino-io.ts";

/**
 * Makes the `io` of a Johnny-Five board: `new five.Board({ io, repl: false, debug: false, sigint: false })`.
 * LED1 to LED3 and BTN1 are the ring's own lights and button once the station runs in a ring, and can be used all the same.
 *
 * @param board a station of a ring that runs (`openBench(...).ring.stations[0]`), or the port of a board with our firmware
 * @throws UsageError, one line: the port does not open, nothing answers, or the station has no board
 */
export async function openEspruinoIO(board: RingStation | string): Promise<EspruinoIO> {
  const station = typeof board === "string" ? await stationAt(board) : board;
  if (!(station instanceof BoardStation))
    throw new UsageError(`station ${station.id} is ${station.where}: it has no board, so no pins`);
  const { EspruinoIO } = await import("./espruino-io.ts");
  const end = async () => {
    if (station !== board) await station.stop();
  };
  return new EspruinoIO(station.pins, profileOf(station.info?.board), end);
}

async function stationAt(port: string): Promise<BoardStation> {
  const station = new BoardStation(0, port, (path) => linkTo(path, { lineLimit: 2048 }));
  const problem = await station.connect();
  if (problem === null) return station;
  await station.stop();
  throw new UsageError(`${port}: ${problem}`);
}

function profileOf(name: string | undefined) {
  return [...shippedProfiles().values()].find(({ espruinoBoards }) =>
    espruinoBoards.some((board) => board === name),
  );
}
