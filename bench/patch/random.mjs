/** A small seeded random generator (mulberry32). Two runs with one seed make the same cases. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = limit => Math.floor(next() * limit);
  const pick = items => items[below(items.length)];
  return { next, below, pick };
}

/** Returns a stable number for a text, for choices that must be equal in two versions of a file. */
export function hashText(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}
