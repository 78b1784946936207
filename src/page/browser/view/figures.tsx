/** Figures of the run, as far as it is known. */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Spread } from "../../../log/summary/summary.ts";
import { figuresOf, type Figures as Known } from "../../model/figures.ts";
import { goTo } from "../state/diagram.ts";
import { source, store, version, violation } from "../state/run.ts";
import { Chart } from "./chart.tsx";

/** On a live run they are made anew so often, ms. */
const REFRESH_MS = 2000;

const refreshed = signal(0);

const figures = computed<Known | null>(() => {
  refreshed.value;
  if (source.value !== "live") version.value;
  return store.value ? figuresOf(store.value) : null;
});

export function Figures() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (source.value === "live") refreshed.value++;
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const known = figures.value;
  if (!known) return null;
  const { summary, rotations, latencies, waits, elections } = known;
  const { token } = summary;
  return (
    <div class="figures" tabIndex={0} role="group" aria-label="Figures of the run">
      <p class="verdict">
        {violation.value ? (
          <strong>{violation.value}</strong>
        ) : (
          "Every claim that is checked holds: never two inside in one epoch, no write below its fence, one result per election."
        )}
      </p>
      <dl class="facts">
        <Fact name="hops" text={String(summary.hops)} />
        <Fact name="entries" text={String(summary.entries)} />
        <Fact name="rotations" text={String(summary.rotations)} />
        <Fact name="tokens made" text={String(token.made)} />
        <Fact name="without a token" text={seconds(token.outage)} />
        <Fact name="elections" text={String(summary.elections)} />
      </dl>
      <Chart
        title="Rotation of the token"
        words={spread(summary.rotation)}
        series={rotations}
        across="time, s"
        up="ms"
        form="line"
      />
      <Chart
        title="Latency of a hop"
        words={`${summary.hops} hops`}
        series={latencies}
        across="ms"
        up="hops"
        form="bars"
      />
      {waits.x.length > 0 && (
        <Chart
          title="Wait from request to entry"
          words={spread(summary.wait)}
          series={waits}
          across="time, s"
          up="ms"
          form="points"
        />
      )}
      {elections.length > 0 && <Elections rows={elections} />}
      {token.outageList.length > 0 && (
        <div class="wide-table" tabIndex={0} role="group" aria-label="Outages">
          <table>
            <caption>Without a token</caption>
            <thead>
              <tr>
                <th scope="col">from</th>
                <th scope="col">for</th>
                <th scope="col">because of</th>
              </tr>
            </thead>
            <tbody>
              {token.outageList.slice(0, 50).map((one) => (
                <tr key={one.from}>
                  <td>
                    <button type="button" onClick={() => goTo(one.from)}>
                      {(one.from / 1e6).toFixed(3)} s
                    </button>
                  </td>
                  <td>{seconds(one.took)}</td>
                  <td>{one.cause}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function Elections({ rows }: { rows: Known["elections"] }) {
  return (
    <div class="wide-table" tabIndex={0} role="group" aria-label="Elections">
      <table>
        <caption>Elections, beside the textbook's number of messages</caption>
        <thead>
          <tr>
            {["at", "by", "messages", "total", "textbook", "coordinator", "after"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 50).map((one) => (
            <tr key={one.at}>
              <td>
                <button type="button" onClick={() => goTo(one.at * 1e6)}>
                  {one.at.toFixed(3)} s
                </button>
              </td>
              <td>{one.starters}</td>
              <td>{one.messages}</td>
              <td>{one.total}</td>
              <td>{one.textbook || "-"}</td>
              <td>{one.coordinator}</td>
              <td>{one.took}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function spread({ count, p50, p99, max }: Spread): string {
  if (!count) return "none";
  return `${count}, median ${ms(p50)}, 99 % under ${ms(p99)}, longest ${ms(max)}`;
}

function ms(micros: number): string {
  return `${(micros / 1000).toFixed(micros < 10_000 ? 1 : 0)} ms`;
}

function seconds(micros: number): string {
  return micros < 1e6 ? `${Math.round(micros / 1000)} ms` : `${(micros / 1e6).toFixed(2)} s`;
}
