/** Removes the compiler's output. The compiler keeps output of deleted sources, and the framework would load it. */
import { rmSync } from 'node:fs';

for (const path of ['dist/src', 'dist/config', 'dist/node_modules', 'dist/.tsbuildinfo']) rmSync(path, { recursive: true, force: true });
