import { noteAnswer, noteAway } from "../../../api/connection.ts";
import { Refused, ServiceAway } from "../../../api/errors.ts";

interface UploadRequest {
  method: "POST" | "PUT";
  url: string;
  body: FormData | Blob;
}

interface Sending {
  signal: AbortSignal;
  /** Called with the bytes of the body sent so far. */
  onBytes(bytes: number): void;
}

/**
 * Sends a form, or a file alone, to an upload store; unlike `fetch`, it reports progress. Throws `ServiceAway`,
 * `Refused`, or the signal's reason.
 */
export function sendFile({ method, url, body }: UploadRequest, { signal, onBytes }: Sending): Promise<void> {
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
    request.open(method, url);
    request.send(body);
  });
}

/** A broken connection, or a response hidden from scripts; the browser does not tell which. */
function awayFrom(url: string): ServiceAway {
  const { origin } = new URL(url, location.href);
  if (origin !== location.origin)
    return new ServiceAway(
      `The upload store at ${origin} did not take the file, or does not let pages of ${location.origin} read its response (CORS)`,
    );
  noteAway();
  return new ServiceAway("The upload was cut off: the service does not answer");
}

/**
 * Stores respond in XML, `<Error><Code>…</Code><Message>…</Message></Error>`, or in JSON. The page's policy
 * forbids parsing XML.
 */
function refusalOf({ status, responseText }: XMLHttpRequest): Refused {
  const code = /<Code>([^<]*)<\/Code>/.exec(responseText)?.[1];
  const message =
    /<Message>([^<]*)<\/Message>/.exec(responseText)?.[1] ??
    /"message"\s*:\s*"([^"]*)"/.exec(responseText)?.[1];
  return new Refused(code ?? `${status}`, message ?? `The upload store answered ${status}`);
}
