/** Removes what the compiler made: it never removes the output of a source that is gone, and the framework would still load that. */
import { rmSync } from 'node:fs';

for (const path of ['dist/src', 'dist/config', 'dist/.tsbuildinfo']) rmSync(path, { recursive: true, force: true });
