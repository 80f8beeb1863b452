/** A move that cannot begin, or that has moved nothing. The message says why and how to fix it, in sentences. */
export class MoveRefused extends Error {
  override name = "MoveRefused";
}

export type Side = "source" | "target";

/** A failure of the database at one end of a move; its cause says which. */
export class SideFailure extends Error {
  override name = "SideFailure";
  readonly side: Side;

  constructor(side: Side, cause: unknown) {
    super(`the ${side} has failed`, { cause });
    this.side = side;
  }
}

/** Runs one end's work: its failures are that end's, unless another end or the move itself has failed. */
export async function atSide<Result>(side: Side, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SideFailure || error instanceof MoveRefused) throw error;
    throw new SideFailure(side, error);
  }
}
