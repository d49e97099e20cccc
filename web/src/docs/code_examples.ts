/** Writes a request in the languages that callers use. A key is never in the code: the examples read it from the variable NETA_KEY. */
import { indentJson } from '../components/basic/indent_json';

export interface ApiRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export const EXAMPLE_LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number];

const WRITERS: Readonly<Record<ExampleLanguage, (request: ApiRequest) => string>> = {
  curl: writeCurl,
  TypeScript: writeTypeScript,
  Python: writePython,
};

/** Returns code that sends the request with the key of the caller. */
export function writeExample(language: ExampleLanguage, request: ApiRequest): string {
  return WRITERS[language](request);
}

const isGiven = (part: string | false): part is string => part !== false;

const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function writeCurl({ method, url, headers, body }: ApiRequest): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteShell(url)}`,
    '-H "authorization: Bearer $NETA_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    body !== undefined && `--data-binary ${quoteShell(body)}`,
  ];
  return parts.filter(isGiven).join(' \\\n  ');
}

function writeTypeScript({ method, url, headers, body }: ApiRequest): string {
  const fields = [
    'authorization: `Bearer ${process.env.NETA_KEY}`',
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const options = [
    method !== 'GET' && `  method: ${JSON.stringify(method)},`,
    `  headers: { ${fields.join(', ')} },`,
    body !== undefined && `  body: ${writeBody(body)},`,
  ];
  return `const response = await fetch(${JSON.stringify(url)}, {\n${options.filter(isGiven).join('\n')}\n});\nconsole.log(response.status, await response.text());`;
}

/** JSON is also an object literal, which is easier to change than a string. A value that JavaScript would change stays a string. */
function writeBody(body: string): string {
  const indented = indentJson(body);
  if (indented === undefined || JSON.stringify(JSON.parse(body), null, 2) !== indented) return JSON.stringify(body);
  return `JSON.stringify(${indented.replaceAll('\n', '\n  ')})`;
}

function writePython({ method, url, headers, body }: ApiRequest): string {
  const fields = [
    '"authorization": f"Bearer {os.environ[\'NETA_KEY\']}"',
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const given = [
    JSON.stringify(method),
    JSON.stringify(url),
    `headers={${fields.join(', ')}}`,
    body !== undefined && `data=${JSON.stringify(body)}.encode()`,
  ];
  return `import os\nimport requests\n\nresponse = requests.request(\n    ${given.filter(isGiven).join(',\n    ')},\n)\nprint(response.status_code, response.text)`;
}
