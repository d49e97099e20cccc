/**
 * The program of the manifest file_operator. It reads one request from stdin and writes one answer to stdout, each a line of JSON.
 */
import { listDirectory } from './list_directory.mjs';
import { openPlaces } from './places.mjs';
import { readFile } from './read_file.mjs';
import { Refusal } from './refusal.mjs';
import { searchFiles } from './search_files.mjs';
import { writeFile } from './write_file.mjs';

const COMMANDS = { read_file: readFile, write_file: writeFile, list_directory: listDirectory, search_files: searchFiles };
const DEFAULT_FILE_SIZE = 10 * 1024 * 1024;

async function readRequest() {
  const pieces = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

async function answerTo({ command, parameters = {}, settings = {}, context = {} }) {
  const { allowed_directories: allowed = '', max_file_size: maxFileSize = DEFAULT_FILE_SIZE, allow_key_files = false } = settings;
  const { locale } = context;
  try {
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!run) throw new Refusal(`command: there is no ${command}.`, `command：没有 ${command}。`);
    const places = await openPlaces({ allowed, workspace: context.workspace ?? process.cwd(), allowsKeyFiles: allow_key_files });
    return { status: 'success', ...(await run(parameters, { places, maxFileSize, locale })) };
  } catch (error) {
    const text = error instanceof Refusal ? error.textFor(locale) : `${command} failed: ${error.code ?? error.message}`;
    return { status: 'error', error: text };
  }
}

const request = await readRequest();
process.stdout.write(`${JSON.stringify({ id: request.id, ...(await answerTo(request)) })}\n`);
