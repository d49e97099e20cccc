/** Reads the text format of Prometheus. */

export interface MetricsText {
  text: string;
  /** `# TYPE` lines: name -> type. */
  types: ReadonlyMap<string, string>;
  samples: readonly { name: string; labels: Readonly<Record<string, string>>; value: number }[];
  /** The sum of the samples of this name whose labels include these. */
  sum(name: string, labels?: Record<string, string>): number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;

/** Throws for a line that is no comment and no sample. */
function parseMetrics(text: string): MetricsText {
  const types = new Map<string, string>();
  const samples: { name: string; labels: Record<string, string>; value: number }[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, kind, name = '', type = ''] = line.split(' ');
      if (kind === 'TYPE') types.set(name, type);
      continue;
    }
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === '') throw new Error(`This is no sample: ${line}`);
    samples.push({ name, labels: parseLabels(labels), value: Number(value.replace('Inf', 'Infinity')) });
  }
  const sum = (name: string, wanted: Record<string, string> = {}) =>
    samples
      .filter(sample => sample.name === name && Object.entries(wanted).every(([label, value]) => sample.labels[label] === value))
      .reduce((total, { value }) => total + value, 0);
  return { text, types, samples, sum };
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text);
    if (!match) throw new Error(`These are no labels: ${text}`);
    labels[match[1] ?? ''] = match[2] ?? '';
  }
  return labels;
}

/** Asks a gateway for its metrics. */
export async function readMetrics(url: string, headers: Record<string, string> = {}): Promise<MetricsText> {
  const response = await fetch(`${url}/metrics`, { headers });
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  return parseMetrics(await response.text());
}
