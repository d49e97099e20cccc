/** Reads the tools and the labelled requests of this benchmark. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parse } = require('yaml');

const read = name => readFileSync(join(__dirname, name), 'utf8');

/** Returns the tools of the servers and manifests in tools.yaml. */
function foreignTools() {
  const servers = parse(read('tools.yaml'));
  return Object.entries(servers).flatMap(([toolset, tools]) => Object.entries(tools).map(([name, text]) => toTool(toolset, name, text)));
}

function toTool(toolset, name, text) {
  const [description, parameters = '', ...keywords] = text.split('||').map(part => part.trim());
  const keywordsOf = mark =>
    keywords
      .find(part => part.startsWith(mark))
      ?.slice(mark.length)
      .split(', ');
  const properties = Object.fromEntries(parameters.split(', ').map(key => [key, { type: 'string' }]));
  const [en, zh] = [keywordsOf('en='), keywordsOf('zh=')];
  return {
    name: name.startsWith(toolset) ? name : `${toolset}__${name}`,
    label: name,
    toolset,
    origin: en ? 'manifest' : 'mcp',
    description,
    effect: 'external',
    parameters: { type: 'object', properties },
    ...(en && { keywords: { en, 'zh-CN': zh } }),
    execute: async () => ({ ok: true, content: '' }),
  };
}

/** Returns the requests of one language: { text, needs: [[name, ...alternatives]], part: 'tuned on' | 'unseen' }. */
function requestsOf(locale) {
  const section = read('requests.txt').split(`[${locale}]\n`)[1]?.split('\n[')[0] ?? '';
  let part = 'tuned on';
  return section.split('\n').flatMap(line => {
    if (line.startsWith('--- ')) part = line.slice(4);
    const [text, names] = line.split(' => ');
    return names ? [{ text, needs: names.split(', ').map(name => name.split('|')), part }] : [];
  });
}

/** Returns the share of the needed tools that are among the first `count` names. */
function recall(needs, names, count) {
  const first = names.slice(0, count).map(name => name.split('__').at(-1));
  const isFound = alternatives => alternatives.some(name => first.includes(name.split('__').at(-1)));
  return needs.filter(isFound).length / needs.length;
}

module.exports = { foreignTools, requestsOf, recall };
