/** Records and stations as scenarios show them. The form is fixed: expected parts are compared with it letter by letter. */
import { HOST, isFrameRecord, type RunRecord } from "../../src/log/records.ts";
import { DEAD, RUNNING, type Simulation } from "../../src/simulation/simulation.ts";

/** One line: seconds, station (or transmitter>receiver), event, and its fields by name or the frame as on the wire. */
export function showRecord(record: RunRecord): string {
  const time = (record.t / 1e6).toFixed(6);
  if (isFrameRecord(record)) {
    const { event, from, to, type, src, dst, args, flags } = record;
    const status = ["", " c", " m", " cm"][flags];
    return columns(time, `${from}>${to}`, event, `${[type, src, dst, ...args].join(",")}${status}`);
  }
  const { event, station, fields } = record;
  const values = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return columns(time, station === HOST ? "-" : String(station), event, values.join(" "));
}

/** One line per station: its power, whom it takes for the coordinator, its epoch, and what it has or wants. */
export function showStations(sim: Simulation): string[] {
  return sim.stations.map((s, i) => {
    const power = sim.power[i] === RUNNING ? "running" : sim.power[i] === DEAD ? "dead" : "stopped";
    const place = sim.mau.isInserted(i) ? power : `${power}, bypassed`;
    if (sim.power[i] === DEAD) return `station ${s.id}: ${place}`;
    const more = [
      `coordinator ${s.coordinator < 0 ? "none" : s.coordinator}`,
      `epoch ${s.epoch}`,
      s.joined ? "" : "not joined",
      s.monitor.duty ? "monitor" : "",
      s.token.held ? `token of ${s.token.epoch}` : "",
      s.inside ? "inside" : "",
      s.wants ? "wants" : "",
      s.beacon.sending ? "beacons" : "",
    ];
    return `station ${s.id}: ${place}; ${more.filter(Boolean).join(", ")}`;
  });
}

function columns(time: string, who: string, event: string, what: string): string {
  return `${time.padStart(10)}  ${who.padEnd(5)}  ${event.padEnd(11)}  ${what}`.trimEnd();
}
