/** Light, dark, or as the system has it. */
import { effect, signal } from "@preact/signals";

type Theme = "as the system" | "light" | "dark";

const ORDER: Theme[] = ["as the system", "light", "dark"];

export const theme = signal<Theme>("as the system");

export function nextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] as Theme;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const system = signal(dark.matches);
dark.addEventListener("change", () => {
  system.value = dark.matches;
});

/** Grows when colours have changed: what is painted on a canvas is painted anew. */
export const colours = signal(0);

effect(() => {
  const chosen = theme.value;
  const isDark = chosen === "dark" || (chosen !== "light" && system.value);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  colours.value = colours.peek() + 1;
});
