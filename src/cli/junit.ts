/** Writes the results of suites as a JUnit report, which CI servers read. */
import type { SuiteResult } from '../../clients/typescript/src/types';

type Case = SuiteResult['cases'][number];

/** Returns the report as XML. */
export function toJunit(suites: readonly SuiteResult[]): string {
  const body = suites.map(({ name, cases, failed }) =>
    element(
      'testsuite',
      { name, tests: cases.length, failures: failed, time: seconds(cases) },
      cases.map(row => toTestCase(name, row)).join(''),
    ),
  );
  const all = suites.flatMap(({ cases }) => cases);
  const failures = suites.reduce((sum, { failed }) => sum + failed, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { tests: all.length, failures, time: seconds(all) }, body.join(''))}\n`;
}

function toTestCase(suite: string, { title, runId, checks, durationMs, replay }: Case): string {
  const failed = checks.filter(({ passed }) => !passed);
  const message = failed.map(describeCheck).join('; ');
  const details = escapeXml([message, replay.answerDiff].filter(Boolean).join('\n\n'));
  const failure = failed.length > 0 ? element('failure', { message, type: failed[0]?.check ?? '' }, details) : '';
  return element('testcase', { classname: suite, name: `${title} (${runId})`, time: durationMs / 1_000 }, failure);
}

/** Says in one line what a check expected and what it found. */
export function describeCheck({ check, expected, found }: Case['checks'][number]): string {
  return [check, expected === undefined ? '' : ` ${JSON.stringify(expected)}`, found === undefined ? '' : ` (${found})`].join('');
}

const seconds = (cases: readonly Case[]): number => cases.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000;

function element(name: string, attributes: Readonly<Record<string, string | number>>, content: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

/** XML has no way to write most control characters, so they are left out. */
const escapeXml = (text: string): string =>
  text
    .replaceAll(/[^\P{Cc}\n\t]|[\ufffe\uffff]|\p{Cs}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
