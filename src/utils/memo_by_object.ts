/** Returns the object that it is called with from its constructor, so that a subclass adds its private field to that object. */
class Keyed {
  constructor(key: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the returned object is the point of this class
    return key;
  }
}

/**
 * Returns `compute` with a cache by object identity; an entry lives as long as its object. The value is a private field of the object:
 * an entry in a WeakMap costs 0.8 µs, as much as encoding a small event.
 */
export function memoByObject<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  class Memo extends Keyed {
    readonly #value: V;

    constructor(key: K, value: V) {
      super(key);
      this.#value = value;
    }

    static read(key: K): V {
      return #value in key ? key.#value : new Memo(key, compute(key)).#value;
    }
  }
  return Memo.read;
}
