/** Writes the results of suites as a JUnit report, which CI servers read. */
import type { SuiteCases, SuiteResult } from '../../clients/typescript/src/types';

type Case = SuiteResult['cases'][number];

/** The cases that have no result, because the command broke off. */
export interface UnfinishedSuites {
  suites: readonly SuiteCases[];
  /** Why the command broke off. */
  problem: string;
}

/** Returns the report as XML. A case that did not run is an error. */
export function toJunit(results: readonly SuiteResult[], unfinished?: UnfinishedSuites): string {
  const suites = [...results.map(toTestSuite), ...(unfinished ? toErrors(unfinished) : [])];
  const sum = (count: 'tests' | 'failures' | 'errors' | 'time') => suites.reduce((total, suite) => total + suite.attributes[count], 0);
  const totals = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors'), time: sum('time') };
  const body = suites.map(({ attributes, content }) => element('testsuite', attributes, content)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', totals, body)}\n`;
}

interface TestSuite {
  attributes: { name: string; tests: number; failures: number; errors: number /** Seconds. */; time: number };
  content: string;
}

function toTestSuite({ name, cases, failed }: SuiteResult): TestSuite {
  return {
    attributes: { name, tests: cases.length, failures: failed, errors: 0, time: seconds(cases) },
    content: cases.map(row => toTestCase(name, row)).join(''),
  };
}

/** A command that broke off before it knew its cases is an error of its own. */
function toErrors({ suites, problem }: UnfinishedSuites): TestSuite[] {
  const error = element('error', { message: problem, type: 'not_run' }, escapeXml(problem));
  const toErrorCase = (suite: string, name: string) => element('testcase', { classname: suite, name, time: 0 }, error);
  const toSuite = (name: string, cases: readonly string[]): TestSuite => ({
    attributes: { name, tests: cases.length, failures: 0, errors: cases.length, time: 0 },
    content: cases.map(each => toErrorCase(name, each)).join(''),
  });
  if (suites.length === 0) return [toSuite('neta', ['suite run'])];
  return suites.map(({ name, cases }) => toSuite(name, cases.map(nameOf)));
}

function toTestCase(suite: string, row: Case): string {
  const { checks, durationMs, replay } = row;
  const failed = checks.filter(({ passed }) => !passed);
  const message = failed.map(describeCheck).join('; ');
  const details = escapeXml([message, replay.answerDiff].filter(Boolean).join('\n\n'));
  const failure = failed.length > 0 ? element('failure', { message, type: failed[0]?.check ?? '' }, details) : '';
  return element('testcase', { classname: suite, name: nameOf(row), time: durationMs / 1_000 }, failure);
}

const nameOf = ({ title, runId }: { title: string; runId: string }): string => `${title} (${runId})`;

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
