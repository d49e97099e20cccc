/** The gateway records and has a model; or the browser recognises speech itself. */
export type SpeechWay = 'gateway' | 'browser';

/** Lists the ways to turn speech into text that work here, the usual one first. A page that stands in another page gets no microphone. */
export function listSpeechWays(hasModel: boolean): SpeechWay[] {
  if (!isSecureContext || parent !== window) return [];
  const works = {
    gateway: hasModel && 'MediaRecorder' in window,
    browser: 'SpeechRecognition' in window || 'webkitSpeechRecognition' in window,
  };
  return (['gateway', 'browser'] as const).filter(way => works[way]);
}
