import { noteAnswer, noteAway } from "../../../api/connection.ts";
import { Refused, ServiceAway } from "../../../api/errors.ts";

interface Sending {
  signal: AbortSignal;
  /** Called with the bytes of the form that have been sent so far. */
  onBytes(bytes: number): void;
}

/**
 * Posts a form to a store of uploads. `fetch` does not tell how much it has sent. Throws `ServiceAway`, `Refused`, or
 * the reason of the signal.
 */
export function sendForm(url: string, form: FormData, { signal, onBytes }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener("abort", abort);
    request.upload.onprogress = ({ loaded }) => onBytes(loaded);
    request.onloadend = () => {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) return reject(signal.reason);
      if (request.status >= 200 && request.status < 300) return resolve();
      reject(request.status === 0 ? awayFrom(url) : refusalOf(request));
      if (request.status !== 0) noteAnswer();
    };
    request.open("POST", url);
    request.send(form);
  });
}

/** A connection that broke, or an answer that the browser keeps from scripts, which it does not tell apart. */
function awayFrom(url: string): ServiceAway {
  const { origin } = new URL(url, location.href);
  if (origin !== location.origin)
    return new ServiceAway(
      `The store of uploads at ${origin} did not take the file, or does not let pages of ${location.origin} read its answer (CORS)`,
    );
  noteAway();
  return new ServiceAway("The upload broke off: the service does not answer");
}

/**
 * Stores answer in XML, `<Error><Code>…</Code><Message>…</Message></Error>`, or in JSON. The policy of the page lets
 * nothing parse XML.
 */
function refusalOf({ status, responseText }: XMLHttpRequest): Refused {
  const code = /<Code>([^<]*)<\/Code>/.exec(responseText)?.[1];
  const message =
    /<Message>([^<]*)<\/Message>/.exec(responseText)?.[1] ??
    /"message"\s*:\s*"([^"]*)"/.exec(responseText)?.[1];
  return new Refused(code ?? `${status}`, message ?? `The store of uploads answered ${status}`);
}
