/** The commands that the API page offers. */

import { ROUTES } from '../../../src/controller/docs_controller';
import { createOpenApi } from '../../../src/controller/openapi';
import { type ApiDocument, type ApiOperation, groupOperations } from '../../../web/src/docs/api_document';
import { curlExamples } from '../../../web/src/docs/curl_example';

const ORIGIN = 'http://127.0.0.1:7001';
const document = JSON.parse(JSON.stringify(createOpenApi(ROUTES, { version: '1.0.0', locale: 'en' }))) as ApiDocument;
const operations = groupOperations(document).flatMap(group => group.operations);

function find(anchor: string): ApiOperation {
  const operation = operations.find(candidate => candidate.anchor === anchor);
  if (!operation) throw new Error(`there is no ${anchor}`);
  return operation;
}

const commands = (anchor: string) => curlExamples(find(anchor), ORIGIN);

describe('a command of the API page', () => {
  it('is as short as curl allows, with a shell variable for what varies in the path', () => {
    expect(commands('get-api-v1-runs-id').map(({ command }) => command)).toEqual([`curl "${ORIGIN}/api/v1/runs/$RUN_ID"`]);
    expect(commands('delete-api-v1-sessions-id')[0]?.command).toBe(`curl -X DELETE "${ORIGIN}/api/v1/sessions/$SESSION_ID"`);
    expect(commands('post-api-v1-clarifications-requestid')[0]?.command).toContain('/clarifications/$REQUEST_ID"');
  });

  it('sends a body that its schema allows', () => {
    expect(commands('post-api-v1-tools-call')[0]?.command).toContain(`-d '{"toolName":"read_file","parameters":{"path":"notes.txt"}}'`);
  });

  it('comes once for every way to ask', () => {
    expect(commands('post-api-v1-runs').map(({ kind }) => kind)).toEqual(['result', 'events', 'at_once']);
    expect(commands('get-api-v1-runs-id-events').map(({ kind }) => kind)).toEqual(['result', 'events']);
  });

  it('belongs to an operation with an address of its own', () => {
    const anchors = operations.map(operation => operation.anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it('closes what it quotes, whatever the example holds', () => {
    const quoted = { ...find('post-api-v1-runs'), body: { examples: [{ input: "it's" }] } };
    expect(curlExamples(quoted, ORIGIN)[0]?.command).toContain(`-d '{"input":"it'\\''s"}'`);
  });
});
