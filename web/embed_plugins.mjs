/** What the build adds for the chat in other pages: the script for those pages, and the file that the chat page shares with the embedded chat. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const SCRIPT = fileURLToPath(new URL('src/widget/neta_chat.ts', import.meta.url));
const CHAT_PAGE = '/src/chat_main.tsx';

/** Makes neta-chat.js: one classic script without imports, under a name that stays. `target`: the browsers of the pages. */
export const widgetScript = target => ({
  name: 'widget-script',
  async generateBundle() {
    const lib = { entry: SCRIPT, formats: ['iife'], name: 'netaChat' };
    const [{ output }] = await build({ configFile: false, publicDir: false, logLevel: 'warn', build: { ...target, lib, write: false } });
    this.emitFile({ type: 'asset', fileName: 'neta-chat.js', source: output[0].code });
  },
});

const chatModules = new Set();

/** Finds the modules that the chat page imports, without those that it loads later and without its first one, which starts that page. */
export const findChatModules = {
  name: 'find-chat-modules',
  buildEnd() {
    const add = id => {
      if (chatModules.has(id)) return;
      chatModules.add(id);
      this.getModuleInfo(id)?.importedIds.forEach(add);
    };
    for (const id of this.getModuleIds()) if (id.endsWith(CHAT_PAGE)) this.getModuleInfo(id)?.importedIds.forEach(add);
  },
};

/** Icons of parts that load later. The package names all of its icons in one module, so the page seems to import them. */
const LATER_ICON = /\/lucide\/.*\/icons\/(?:mic|pause|play|volume-2)\./;

/** True for what the chat page loads at once. */
export const isChatModule = id => chatModules.has(id) && !LATER_ICON.test(id);
