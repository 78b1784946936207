/** Keys and signs. */
import { useEffect, useRef } from "preact/hooks";
import { dialog } from "../state/selection.ts";

const KEYS: [key: string, does: string][] = [
  ["Space", "play, pause"],
  ["← →", "one event back, on; with Shift one frame"],
  ["+ −", "faster, slower"],
  ["Home End", "start, end of the run"],
  ["1 to 3", "ring, messages, figures"],
  ["Tab, [ ]", "choose a station"],
  ["C", "crash it"],
  ["R", "restart it"],
  ["H", "hang it, let it go on"],
  ["A", "it asks for the critical section"],
  ["E", "it starts an election"],
  ["D", "its next frame is lost"],
  ["X", "cut its link, mend it"],
  ["P", "partition the ring behind it, or heal it"],
  ["S", "set up a ring"],
];

const SIGNS: [sign: string, means: string][] = [
  ["token", "the token, T; a station with a yellow ring has it"],
  ["inside", "a green square is inside the critical section"],
  ["asks", "? asks for it"],
  ["duty", "★ is the coordinator, the ring's active monitor"],
  ["dead", "dashed and crossed out: no power"],
  ["still", "‖ stands still: powered, deaf and mute"],
  ["out", "a dotted line to the MAU: bypassed"],
];

export function HelpDialog() {
  const box = useRef<HTMLDialogElement>(null);
  const isOpen = dialog.value === "help";
  useEffect(() => {
    if (isOpen) box.current?.showModal();
    else box.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={box} aria-labelledby="help-title" onClose={() => (dialog.value = "")}>
      <h2 id="help-title">Keys and signs</h2>
      <div class="help">
        <table>
          <tbody>
            {KEYS.map(([key, does]) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <ul>
          {SIGNS.map(([sign, means]) => (
            <li key={sign} class={sign}>
              {means}
            </li>
          ))}
        </ul>
      </div>
      <div class="row">
        <button type="button" class="main" onClick={() => (dialog.value = "")}>
          Close
        </button>
      </div>
    </dialog>
  );
}
