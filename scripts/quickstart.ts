/** `npm run quickstart`: a service in a temporary folder, a tenant, and a file run through it as a client would. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "@lading/service";
import { main as lading } from "lading/main";

const file = "examples/quickstart.json";
const tenant = "tidewater";
const someOperationsFailed = 4;

const folder = await mkdtemp(join(tmpdir(), "lading-quickstart-"));
process.env.LADING_CREDENTIALS = join(folder, "credentials.json");
console.log(`Starting Lading with its embedded database in ${folder} …`);
const service = await startService({ port: 0, dataDir: folder, logLevel: "warn" });
try {
  process.env.LADING_URL = service.url;
  process.env.LADING_OPERATOR_TOKEN = service.operatorToken;
  await step(0, "tenant", "create", tenant, "--name", "Tidewater Pottery");
  await step(someOperationsFailed, "mass-operation", "run", tenant, file);
  console.log(whatNext());
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}

async function step(expected: number, ...args: string[]): Promise<void> {
  console.log(`\n$ lading ${args.map((arg) => (arg.includes(" ") ? `"${arg}"` : arg)).join(" ")}`);
  const code = await lading(args);
  if (code !== expected) throw new Error(`that ended with code ${code} instead of ${expected}`);
}

function whatNext(): string {
  return `
One operation failed, on purpose: it takes from the stock of a SKU that does not exist. The others were
carried out all the same, and the log says which one failed and why. The exit code was ${someOperationsFailed},
so that a script notices.

The service of this quickstart ends now, and its folder is removed. To try more:

  npx lading serve                    a service that stays, with its data in ./.lading
  npx lading tenant create my-shop    in a second terminal; the access token is kept for you
  npx lading mass-operation run my-shop ${file}
                                      once more, too: the upserts find what is there already
  npx lading mass-operation validate ${file}
                                      finds mistakes without a service, each with its line and column

Open ${file} in an editor that knows JSON Schema: it completes intents and fields.`;
}
