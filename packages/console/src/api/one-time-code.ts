/** A code of `lading console`, and the tenant that it signs in to. */
export interface OneTimeCode {
  tenant: string;
  code: string;
}

let waiting = takeFromAddress();

/** The one-time code of the address that opened this tab, until it is forgotten; undefined without one. */
export const waitingCode = (): OneTimeCode | undefined => waiting;

/** Forgets the code: it was used, or is not to be. */
export function forgetCode(): void {
  waiting = undefined;
}

/** Takes the code out of the address as soon as this module is loaded, so that neither history nor a copy has it. */
function takeFromAddress(): OneTimeCode | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [tenant, code] = [fragment.get("tenant"), fragment.get("code")];
  if (code === null) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return tenant === null ? undefined : { tenant, code };
}
