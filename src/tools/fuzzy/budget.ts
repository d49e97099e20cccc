/** One cell is one comparison in a table, one inspected token or one candidate step. */
const DEFAULT_CELLS = 40_000_000;

/** Ends a call that needs too much work. `applyPatch` and `fuzzyFindAll` catch it. */
export class BudgetExceeded extends Error {}

/** Work limit of one call. Every step whose cost is not linear in the input draws on it. */
export class Budget {
  private left: number;

  constructor(cells: number = DEFAULT_CELLS) {
    this.left = cells;
  }

  /** Subtracts `cells`. Throws BudgetExceeded when none are left. */
  spend(cells: number): void {
    this.left -= cells;
    if (this.left < 0) throw new BudgetExceeded('patch work limit reached');
  }
}
