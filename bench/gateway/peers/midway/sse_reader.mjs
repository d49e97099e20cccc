/** Reads chat completions from a response body: the data of each server-sent event, across splits inside lines and characters. */

/** Calls `onData` with the parsed data of each event, reads to the end, so that the connection is used again, and throws an error of the model. */
export async function readEvents(body, onData) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const text = rest + decoder.decode(piece, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      readLine(text.slice(start, end), onData);
      start = end + 1;
    }
    rest = text.slice(start);
  }
  readLine(rest, onData);
}

function readLine(line, onData) {
  if (!line.startsWith('data:')) return;
  const data = line.slice(5).trim();
  if (data === '[DONE]') return;
  const parsed = JSON.parse(data);
  if (parsed.error) throw new Error(parsed.error.message);
  onData(parsed);
}
