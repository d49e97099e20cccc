/** Checks that the tests which prove a requirement carry its id in their names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { REQUIREMENTS } from './support/requirements';

const DOORS = /^(door|e2e)\//;
const proven = REQUIREMENTS.flatMap(requirement => (requirement.state === 'open' ? [] : [requirement]));

/** Collects the names of all tests and groups of a file: the first argument of every call of it, test or describe, `.each` included. */
function testNames(file: string): string[] {
  const names: string[] = [];
  const callee = (node: ts.Node): string => {
    if (ts.isIdentifier(node)) return node.text;
    return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? callee(node.expression) : '';
  };
  const visit = (node: ts.Node): void => {
    const name = ts.isCallExpression(node) && /^(it|test|describe)$/.test(callee(node)) ? node.arguments[0] : undefined;
    if (name && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))) names.push(name.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return names;
}

/** Returns true when the text contains the id itself, not only a longer id with the same beginning. */
const names = (text: string, id: string): boolean => new RegExp(`${id.replaceAll('.', '\\.')}(?![\\w]|\\.\\w)`).test(text);

describe('the requirement table', () => {
  it('has each requirement once, in all four areas', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(id => id.split('.')[0]))).toEqual(new Set(['neta', 'nanoclaw', 'beaver', 'jarvis']));
  });

  it.each(proven)('$id: each file that proves it has a test with the id in its name', ({ id, provenBy }) => {
    expect(provenBy.length).toBeGreaterThan(0);
    for (const proof of provenBy) {
      const file = join(__dirname, `${proof}.test.ts`);
      expect([proof, existsSync(file)]).toEqual([proof, true]);
      expect([proof, testNames(file).filter(name => names(name, id))]).not.toEqual([proof, []]);
    }
  });

  it.each(proven.filter(({ state }) => state === 'done'))('$id is done: at least one proof goes through a door', ({ provenBy }) => {
    expect(provenBy.filter(proof => DOORS.test(proof))).not.toEqual([]);
  });
});
