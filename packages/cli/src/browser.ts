import { spawn } from "node:child_process";

/** The program of each system that opens an address in the user's browser, and what it takes before the address. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  // `start` belongs to the shell of Windows, which would obey characters of the address.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
  freebsd: ["xdg-open"],
  openbsd: ["xdg-open"],
};

/**
 * Opens a web address in the user's browser, without a shell, and does not wait for it.
 * @returns false where there is no screen or no such program
 */
export async function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? [];
  if (program === undefined) return false;
  // Without a screen, xdg-open would start a browser in the terminal.
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (program === "xdg-open" && !DISPLAY && !WAYLAND_DISPLAY) return false;
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, url], { stdio: "ignore", detached: true });
    opener.once("error", () => resolve(false));
    opener.once("spawn", () => resolve(true));
    opener.unref();
  });
}
