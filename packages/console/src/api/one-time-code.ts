/** A code of `lading console`, and the tenant it signs in to. */
export interface OneTimeCode {
  tenant: string;
  code: string;
}

let waiting = takeFromAddress();

/** The one-time code of the URL that opened this tab, until it is forgotten. */
export const waitingCode = (): OneTimeCode | undefined => waiting;

/** Forgets the code, once used or declined. */
export function forgetCode(): void {
  waiting = undefined;
}

/**
 * Removes the code from the URL as soon as this module is loaded, so that neither history nor a copied URL
 * has it.
 */
function takeFromAddress(): OneTimeCode | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [tenant, code] = [fragment.get("tenant"), fragment.get("code")];
  if (code === null) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return tenant === null ? undefined : { tenant, code };
}
