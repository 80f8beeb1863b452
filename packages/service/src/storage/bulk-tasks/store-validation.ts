import type { FileReport } from "@lading/schema";
import type { Queries } from "../database.ts";
import { storeLifetimes } from "../task-details/references.ts";
import { type Claim, changeClaimed, claimIsHeld, isOwned } from "./claims/claimed-task.ts";
import { endClaimed, ending } from "./end.ts";

/** The columns of a file's report. */
const reported = "sha256 = $5, file_version = $6, error_count = $7, warning_count = $8, attempts = 0";
const reportParameters = ({ sha256, version, errorCount, warningCount }: FileReport) => [
  sha256,
  version,
  errorCount,
  warningCount,
];

const storeValid = `
  UPDATE bulk_tasks SET ${reported}, validated_at = now(), total = $9, reference_names = $10,
    stretch_hashes = decode($11, 'base64'), owner = NULL, lease_until = NULL
  WHERE ${claimIsHeld}`;

/**
 * Stores that a claimed task's file is valid, and releases the claim until it is the task's turn. `hashes` has the
 * hashes of the stretches, in base64. Throws `LostClaim`.
 */
export async function storeValidation(
  transaction: Queries,
  claim: Claim,
  report: FileReport,
  hashes: string,
): Promise<void> {
  const { lifetimes, names, operations } = report;
  await storeLifetimes(transaction, claim, lifetimes);
  await changeClaimed(transaction, claim, storeValid, [
    ...reportParameters(report),
    operations,
    names && JSON.stringify(names),
    hashes,
  ]);
}

const storeInvalid = ending(
  `${reported}, status = 'error', error = $9, error_name = 'ValidationError', stack = $10`,
  isOwned,
);

/** Ends a claimed task whose file has errors. Throws `LostClaim`. */
export async function failValidation(
  transaction: Queries,
  claim: Claim,
  report: FileReport,
  { error, stack }: { error: string; stack: string },
): Promise<void> {
  await endClaimed(transaction, claim, storeInvalid, [...reportParameters(report), error, stack]);
}
