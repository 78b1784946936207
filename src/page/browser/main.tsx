/** The page's program. */
import { render } from "preact";
import { listenToDrops } from "./state/drops.ts";
import { listenToKeys } from "./state/keys.ts";
import { startClock } from "./state/player.ts";
import { start } from "./state/start.ts";
import { App } from "./view/app.tsx";

render(<App />, document.getElementById("app") as HTMLElement);
listenToKeys();
listenToDrops();
start();
startClock();
