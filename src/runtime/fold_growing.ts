/** Folds lists that only grow, such as the history of a run: each call goes on where the last one ended. */

interface Fold<T, S> {
  state: S;
  /** Number of items that `state` covers, and the last of these items. */
  count: number;
  last: T | undefined;
}

/**
 * Returns a function that folds a list: `create` makes the state of an empty list, `add` adds one item to it. The state is kept for each list object.
 * A list that became shorter, or whose last folded item changed, is folded anew. The caller of the function must not change the state.
 */
export function foldGrowing<T, S>(create: () => S, add: (state: S, item: T) => void): (list: readonly T[]) => S {
  const folds = new WeakMap<readonly T[], Fold<T, S>>();
  return list => {
    let fold = folds.get(list);
    if (!fold || list.length < fold.count || list[fold.count - 1] !== fold.last) {
      fold = { state: create(), count: 0, last: undefined };
      folds.set(list, fold);
    }
    for (; fold.count < list.length; fold.count += 1) {
      fold.last = list[fold.count] as T;
      add(fold.state, fold.last);
    }
    return fold.state;
  };
}
