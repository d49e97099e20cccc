/** Work is counted in cells: one comparison in a table, one token looked at, one candidate step. */
const DEFAULT_CELLS = 40_000_000;

/** Thrown inside the engine only; `applyPatch` and `fuzzyFindAll` turn it into a refusal or an empty answer. */
export class BudgetExceeded extends Error {}

/** One counter for everything in a call that is not plainly linear, so that no input can make the engine run away. */
export class Budget {
  private left: number;

  constructor(cells: number = DEFAULT_CELLS) {
    this.left = cells;
  }

  /** Takes `cells` from the counter. Throws BudgetExceeded when nothing is left. */
  spend(cells: number): void {
    this.left -= cells;
    if (this.left < 0) throw new BudgetExceeded('patch work limit reached');
  }
}
