/** Downloads of the open chat. */
import { API_BASE } from '../api/call_rest';

/** The gateway sends the file as a download, a row at a time, so that the page need not hold it. */
export function downloadChat(sessionId: string, query: string): void {
  const link = document.createElement('a');
  link.href = `${API_BASE}/sessions/${encodeURIComponent(sessionId)}/export?${query}`;
  link.download = '';
  link.click();
}
