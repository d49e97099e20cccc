/**
 * `npm run tools:check`: checks the manifests below NETA_CONFIG_DIR and their settings. Prints `file:line:field: reason` for each mistake and ends with
 * code 1 when there is one. `--write-examples` writes the examples of settings that are missing.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildIfNeeded, root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
require('../bootstrap.js').checkNode();
buildIfNeeded();
const { readSettings } = require('../dist/config/settings.js');
const { createConfigDirectory } = require('../dist/src/adapter/config/config_directory.js');
const { createToolProcesses } = require('../dist/src/adapter/local/shell/tool_processes.js');
// Fills the catalog, which the checks read.
require('../dist/src/builtin_tools.js');
const { checkTools, exampleSettings } = require('../dist/src/feature/manifests/check_tools.js');

const settings = settingsOrExit();
const { configDir, dataDir, workspace } = settings;
const files = createConfigDirectory(configDir);
const processes = createToolProcesses({
  root: workspace,
  environment: settings.toolEnvironment,
  hidden: [dataDir, configDir],
  limits: settings.shell,
  owner: 'tools-check',
  toolsFolder: join(configDir, 'tools'),
  packages: [],
  helpers: join(root, 'tool-helpers'),
  recordCaller: () => () => {},
});

if (process.argv.includes('--write-examples')) await writeExamples();
const { manifests, errors, notes } = await checkTools(files, processes);
for (const { message } of errors) console.error(message);
for (const note of notes) console.error(`note: ${note}`);
const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
console.log(`${count(manifests.length, 'valid manifest')} in ${join(configDir, 'tools')}, ${count(errors.length, 'mistake')}.`);
process.exitCode = errors.length > 0 ? 1 : 0;

async function writeExamples() {
  const { manifests: found } = await checkTools(files, processes);
  const folder = join(configDir, 'tool-settings');
  for (const manifest of found.filter(({ config_schema }) => Object.keys(config_schema).length > 0)) {
    const path = join(folder, `${manifest.name}.yaml.example`);
    if (existsSync(path)) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, exampleSettings(manifest));
    console.log(`wrote ${path}`);
  }
}

function settingsOrExit() {
  try {
    return readSettings(process.env, root);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
