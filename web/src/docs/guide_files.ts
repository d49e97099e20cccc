/** The pages of docs/. Vite builds each page as a file that is loaded when it is opened or searched. */
import type { Locale } from '../platform/preferences';
import { GATEWAY_URL } from './gateway_url';

const FILES = import.meta.glob<string>(['../../../docs/*.md', '../../../docs/guides/*.md'], { query: '?raw', import: 'default' });

/** The address that the guides give the gateway. */
const WRITTEN_ADDRESS = /http:\/\/127\.0\.0\.1:7001|\blocalhost:7001/g;
/** Examples of programs that call the gateway. Prose and the settings of a proxy mean the address on the gateway's own machine. */
const EXAMPLE = /^```(?:sh|bash|js|ts|typescript|javascript|python|py|http|json)\n.*?^```/gms;

/** Loads the page in the language of the person, or in English when it is written in English alone. Its examples name this gateway. */
export async function readGuide(name: string, locale: Locale): Promise<string> {
  const path = `../../../docs/${name}`;
  const load = (locale === 'zh-CN' && FILES[`${path}.zh-CN.md`]) || FILES[`${path}.md`];
  if (!load) throw new Error(`There is no page ${name}.`);
  return (await load()).replaceAll(EXAMPLE, example => example.replaceAll(WRITTEN_ADDRESS, GATEWAY_URL));
}
