let code = takeFromAddress();

/** True while the code has not been taken. */
export const hasCode = () => code !== undefined;

/** The one-time code of the address that opened this tab, the first time it is asked for. */
export function takeCode(): string | undefined {
  const taken = code;
  code = undefined;
  return taken;
}

/** Takes the code out of the address as soon as this module is loaded, so that neither history nor a copy has it. */
function takeFromAddress(): string | undefined {
  const found = new URLSearchParams(location.hash.slice(1)).get("code");
  if (found === null) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return found;
}
