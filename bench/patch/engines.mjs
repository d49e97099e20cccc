import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import DiffMatchPatch from 'diff-match-patch';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the path of the compiled engine; `path` overrides it. */
export function enginePath(path) {
  return path ?? `${ROOT}dist/src/tools/fuzzy_match.js`;
}

/** Loads the compiled engine under test. Builds it when it is missing. */
export function loadEngine(path) {
  const compiled = enginePath(path);
  if (!existsSync(compiled)) execFileSync(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`], { cwd: ROOT, stdio: 'inherit' });
  return createRequire(import.meta.url)(compiled);
}

/** Each engine maps (content, old, next) to the new content, or to undefined when it refuses. */
export function createEngines(engine) {
  return {
    neta: (content, old, next) => {
      const result = engine.applyPatch(content, old, next);
      return result.ok ? result.content : undefined;
    },
    'exact only': (content, old, next) => {
      const at = content.indexOf(old);
      if (at === -1 || content.indexOf(old, at + 1) !== -1) return undefined;
      return content.slice(0, at) + next + content.slice(at + old.length);
    },
    'diff-match-patch': (content, old, next) => {
      const dmp = new DiffMatchPatch();
      dmp.Match_Distance = 1_000_000;
      dmp.Diff_Timeout = 0.2;
      const [result, applied] = dmp.patch_apply(dmp.patch_make(old, next), content);
      return applied.some(Boolean) && result !== content ? result : undefined;
    },
  };
}
