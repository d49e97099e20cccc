/** One call of every tool, the same for each door: its arguments, its result and the files that it leaves. */
import type { Site } from './site';

export interface ToolRow {
  tool: string;
  args: (place: Place) => Record<string, unknown>;
  /** Text in the result for the model. */
  says: RegExp;
  /** Text in the result of a direct call, where it differs because there is no session. */
  refusesWithoutSession?: RegExp;
  /** Path in the folder -> content after the call. */
  leaves?: Record<string, { text: string } | 'directory' | 'nothing'>;
}

export interface Place {
  /** Folder in the workspace with the files of FOLDER_FILES; each door has its own. */
  folder: string;
  site: Site;
  /** Id of a memory that the call may delete. */
  memoryId: string;
}

export const FOLDER_FILES: Record<string, string> = {
  'notes.txt': 'alpha\nbeta\n',
  'old.txt': 'old\n',
  'log.txt': 'first\n',
  'plan.txt': 'one\ntwo\n',
  'deep/read.md': '# Read\n',
};

export const TOOL_ROWS: readonly ToolRow[] = [
  { tool: 'bash', args: ({ folder }) => ({ command: 'tr a-z A-Z < notes.txt', cwd: folder }), says: /Exit code 0.*\nALPHA\nBETA/ },
  {
    tool: 'terminal',
    args: ({ folder }) => ({ command: `cd ${folder} && cat notes.txt` }),
    says: /Exit code 0.*\nalpha\nbeta/,
    refusesWithoutSession: /no session/,
  },
  { tool: 'read_file', args: ({ folder }) => ({ path: `${folder}/notes.txt` }), says: /lines 1-2 of 2.*\n1\|alpha\n2\|beta$/ },
  {
    tool: 'write_file',
    args: ({ folder }) => ({ path: `${folder}/made.txt`, content: 'made\n' }),
    says: /made\.txt/,
    leaves: { 'made.txt': { text: 'made\n' } },
  },
  { tool: 'list_dir', args: ({ folder }) => ({ path: folder }), says: /dir .*deep\/\n(.*\n)*.*notes\.txt/ },
  {
    tool: 'patch',
    args: ({ folder }) => ({ path: `${folder}/plan.txt`, old_string: 'two', new_string: 'three' }),
    says: /\+three/,
    leaves: { 'plan.txt': { text: 'one\nthree\n' } },
  },
  {
    tool: 'todo',
    args: () => ({ todos: [{ id: 'a', content: 'measure the wind', status: 'in_progress' }] }),
    says: /"measure the wind".*"in_progress"/,
  },
  { tool: 'cron', args: () => ({ action: 'list' }), says: /There are no jobs\./ },
  { tool: 'clarify', args: () => ({ question: 'Which colour?', choices: ['red', 'blue'] }), says: /blue|question was handed/ },
  {
    tool: 'memory_save',
    args: () => ({ text: 'Moors the boat at pier 7' }),
    says: /^(Saved|Updated) \[mem_\w+\]: Moors the boat at pier 7$/,
  },
  { tool: 'memory_recall', args: () => ({ query: 'pier' }), says: /^- \[mem_\w+\] Moors the boat at pier 7 \(fact, / },
  { tool: 'memory_forget', args: ({ memoryId }) => ({ id: memoryId }), says: /^Forgotten \[mem_\w+\]: Paints the boat/ },
  { tool: 'read_skill', args: () => ({ name: 'mooring' }), says: /Tie a bowline.*knots\.md/s },
  { tool: 'read_skill_file', args: () => ({ name: 'mooring', path: 'references/knots.md' }), says: /^Bowline first\.$/ },
  {
    tool: 'skill_manage',
    args: ({ folder }) => ({ action: 'create', name: `from-${folder}`, content: `---\nname: from-${folder}\ndescription: x\n---\n` }),
    says: /^Created the skill from-/,
  },
  {
    tool: 'delegate_task',
    args: () => ({ task: 'water the beans' }),
    says: /^helper: done\. .*\n\nWatered\.$/,
    refusesWithoutSession: /no crew here/,
  },
  {
    tool: 'delegate_parallel',
    args: () => ({ tasks: [{ task: 'water the beans' }, { task: 'water the beans', member: 'helper' }] }),
    says: /## 2\. helper: done\. .*\n\nWatered\.$/,
    refusesWithoutSession: /no crew here/,
  },
  { tool: 'escalate', args: () => ({ question: 'Which colour?', choices: ['red', 'blue'] }), says: /blue|question was handed/ },
  { tool: 'web_search', args: () => ({ query: 'log' }), says: /1\. Log\n\s+https:\/\/log\.example\/\n\s+A log/ },
  { tool: 'fetch_page', args: ({ site }) => ({ url: site.url('/article') }), says: /untrusted.*# Lighthouse log.*\| Albatros/s },
  {
    tool: 'crawl_batch',
    args: ({ site }) => ({ urls: [site.url('/pdf'), site.url('/missing')] }),
    says: /\[1\/2\].*tariff 1887.*\[2\/2\] Failed:.*HTTP 404/s,
  },
  { tool: 'calculator', args: () => ({ expression: '-7 // 2 + 2 ** 3 * 0.1' }), says: /= -3\.2$/ },
  { tool: 'text_process', args: () => ({ text: 'two words', operation: 'reverse' }), says: /^sdrow owt$/ },
  { tool: 'json_process', args: () => ({ json_string: '{"b":1,"a":[]}', operation: 'keys' }), says: /^\["b","a"\]$/ },
  { tool: 'get_weather', args: () => ({ city: 'Berlin' }), says: /^Berlin, Germany, 2026-01-31T12:00 local time: rain, 3\.5 °C/ },
  { tool: 'current_time', args: () => ({ time_zone: 'Asia/Shanghai' }), says: /^UTC: \d{4}-\d\d-\d\dT.*Z\nAsia\/Shanghai: / },
  { tool: 'echo', args: () => ({ text: 'is anybody there' }), says: /^is anybody there$/ },
  { tool: 'file_read', args: ({ folder }) => ({ path: `${folder}/notes.txt` }), says: /^alpha\nbeta\n$/ },
  {
    tool: 'file_write',
    args: ({ folder }) => ({ path: `${folder}/log.txt`, content: 'second\n', mode: 'append' }),
    says: /Appended.*7 bytes, 13 in all/,
    leaves: { 'log.txt': { text: 'first\nsecond\n' } },
  },
  {
    tool: 'file_delete',
    args: ({ folder }) => ({ path: `${folder}/old.txt` }),
    says: /^Deleted .*old\.txt/,
    leaves: { 'old.txt': 'nothing' },
  },
  { tool: 'file_list', args: ({ folder }) => ({ pattern: '**/*.md', path: folder }), says: /deep\/read\.md/ },
  { tool: 'file_exists', args: ({ folder }) => ({ path: `${folder}/deep` }), says: /exists: a directory/ },
  {
    tool: 'file_mkdir',
    args: ({ folder }) => ({ path: `${folder}/new/empty` }),
    says: /^Made the directory/,
    leaves: { 'new/empty': 'directory' },
  },
  { tool: 'search', args: ({ folder }) => ({ pattern: '^bet.$', path: folder }), says: /notes\.txt:2:beta/ },
  {
    tool: 'session_search',
    args: () => ({ query: 'call todo over Socket' }),
    says: /^Excerpts of earlier conversations.*\n1\. .* (person|agent) in ses_.*\n {3}.*call todo over Socket/,
  },
];

const json = (value: unknown) => (response: import('node:http').ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** Responses in the format of Open-Meteo: the place Berlin and its weather. */
export const BERLIN = { results: [{ name: 'Berlin', country: 'Germany', latitude: 52.52, longitude: 13.4 }] };
export const BERLIN_WEATHER = {
  current: {
    time: '2026-01-31T12:00',
    temperature_2m: 3.5,
    apparent_temperature: -1,
    relative_humidity_2m: 80,
    wind_speed_10m: 12,
    weather_code: 61,
  },
  daily: {
    time: ['2026-01-31'],
    weather_code: [3],
    temperature_2m_min: [-2],
    temperature_2m_max: [4],
    precipitation_probability_max: [70],
  },
};

/** Pages that the rows need in addition to the site's own: a search service and a weather service with realistic responses. */
export const SERVICE_PAGES = {
  '/search': json({ results: [{ title: 'Log', url: 'https://log.example/', content: 'A log' }] }),
  '/meteo/v1/search': json(BERLIN),
  '/meteo/v1/forecast': json(BERLIN_WEATHER),
};

/** Settings that point the tools to these services. */
export const serviceSettings = (site: Site): Record<string, string> => ({
  NETA_FETCH_ALLOW: site.host,
  NETA_SEARXNG_URL: site.url('/'),
  NETA_OPEN_METEO_URL: site.url('/meteo'),
});
