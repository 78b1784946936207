/** The page: a stage with the ring, its messages or figures, what goes with it, and time. */
import { notice, violation } from "../state/run.ts";
import { type Side, type Stage, side, stage } from "../state/selection.ts";
import { ActionBar } from "./action-bar.tsx";
import { Diagram } from "./diagram.tsx";
import { Figures } from "./figures.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { Ring } from "./ring.tsx";
import { ScriptPanel } from "./script-panel.tsx";
import { SetUpDialog } from "./set-up-dialog.tsx";
import { StationPanel } from "./station-panel.tsx";
import { StoryCard } from "./story-card.tsx";
import { Tabs } from "./tabs.tsx";
import { Told } from "./told.tsx";
import { TopBar } from "./top-bar.tsx";
import { Transport } from "./transport.tsx";

const STAGES: [Stage, string][] = [
  ["ring", "Ring"],
  ["messages", "Messages"],
  ["figures", "Figures"],
];

const SIDES: [Side, string][] = [
  ["told", "What happened"],
  ["station", "Station"],
  ["script", "Script"],
];

export function App() {
  return (
    <>
      <TopBar />
      <main>
        <div class="stage">
          <Tabs name="View" of={STAGES} chosen={stage} />
          <StoryCard />
          <div class="view" role="tabpanel" aria-label="The run">
            {stage.value === "ring" && <Ring />}
            {stage.value === "messages" && <Diagram />}
            {stage.value === "figures" && <Figures />}
          </div>
          <ActionBar />
        </div>
        <div class="side">
          <Tabs name="Beside it" of={SIDES} chosen={side} />
          <div class="panel" role="tabpanel" aria-label="Beside the ring">
            {side.value === "told" && <Told />}
            {side.value === "station" && <StationPanel />}
            {side.value === "script" && <ScriptPanel />}
          </div>
        </div>
      </main>
      <Transport />
      <p class="notice" role="status">
        {violation.value ? <strong>{violation.value}</strong> : notice.value}
      </p>
      <SetUpDialog />
      <HelpDialog />
    </>
  );
}
