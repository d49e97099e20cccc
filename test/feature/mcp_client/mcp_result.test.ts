import { createRedactor } from '../../../src/adapter/redact';
import { toToolResult } from '../../../src/feature/mcp_client/mcp_result';

describe('the result of a server', () => {
  it('has no secret, neither for the model nor for programs', () => {
    const result = toToolResult(
      {
        isError: false,
        content: [
          { type: 'text', text: 'the key is hunter2-hunter2' },
          { type: 'link', uri: 'https://a.example/?k=hunter2-hunter2', name: 'hunter2-hunter2' },
        ],
        structured: { key: 'hunter2-hunter2' },
      },
      { server: 's', unasked: [], hasUnclearQuestion: false, redact: createRedactor(['hunter2-hunter2']) },
      { locale: 'en' },
    );
    expect(result.content).toContain('the key is [redacted]');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('leaves out a block that the removal of a secret breaks, and keeps the others', () => {
    // A secret with the quote that ends a JSON string.
    const redact = createRedactor(['t0ken"},{"x']);
    const content = [
      { type: 'text' as const, text: 'fine' },
      { type: 'other' as const, name: 'x' },
    ];
    const structured = { a: [{ b: 't0ken' }, { x: 1 }] };
    const result = toToolResult(
      { isError: false, content, structured },
      { server: 's', unasked: [], hasUnclearQuestion: false, redact },
      { locale: 'en' },
    );
    expect(result.ok).toBe(true);
    expect(result.data).toEqual({ blocks: content });
  });
});
