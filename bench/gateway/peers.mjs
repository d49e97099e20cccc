/** Frameworks to compare with. Each has a folder in peers/ with its own packages, which `npm ci` installs there when the bench needs them. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PEERS = join(import.meta.dirname, 'peers');
const INSTALL_LIMIT_MS = 300_000;

/** Folder -> name in the table. */
export const PEER_NAMES = {
  midway: 'loop in Midway',
  openai_agents: 'OpenAI Agents',
  ai_sdk: 'AI SDK',
  langgraph: 'LangGraph',
  mastra: 'Mastra',
  voltagent: 'VoltAgent',
};

/** Returns the hosts of these peers. A peer that cannot be installed is named with the reason and left out. */
export function preparePeers(folders) {
  return folders.flatMap(folder => {
    const name = PEER_NAMES[folder];
    if (!name) throw new Error(`There is no peer ${folder}; there are: ${Object.keys(PEER_NAMES).join(', ')}.`);
    try {
      install(join(PEERS, folder));
      return [{ name, program: `peers/${folder}/host.mjs`, kinds: ['socket'], isPeer: true }];
    } catch (thrown) {
      console.log(
        `${name} is left out, npm ci failed: ${String(thrown.stderr ?? thrown)
          .trim()
          .split('\n')
          .slice(0, 3)
          .join(' ')}`,
      );
      return [];
    }
  });
}

/** Installs what the lock file of the folder says, unless that is there. */
function install(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return;
  console.log(`Installing ${folder} ...`);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, timeout: INSTALL_LIMIT_MS, stdio: 'pipe' });
}
