import { contentOfBlocks } from '../../../src/feature/mcp_door/content_blocks';

it('turns images, sounds, resources and links of a result into content, and leaves out the rest', () => {
  const blocks = [
    { type: 'image', mimeType: 'image/png', base64: 'aW1n', bytes: 3 },
    { type: 'audio', mimeType: 'audio/wav', base64: 'd2F2', bytes: 3 },
    { type: 'resource', uri: 'note://1', mimeType: 'text/plain', text: 'a note' },
    { type: 'resource', uri: 'note://2', base64: 'Ymlu', bytes: 3 },
    { type: 'link', uri: 'note://3', name: 'third' },
    { type: 'link', uri: 'note://4' },
    { type: 'text', text: 'stands in the message' },
    { type: 'image', base64: 'aW1n' },
    { type: 'resource', text: 'of nowhere' },
    { type: 'video', uri: 'note://5' },
    'none',
  ];
  expect(contentOfBlocks({ blocks })).toEqual([
    { type: 'image', mimeType: 'image/png', data: 'aW1n' },
    { type: 'audio', mimeType: 'audio/wav', data: 'd2F2' },
    { type: 'resource', resource: { uri: 'note://1', mimeType: 'text/plain', text: 'a note' } },
    { type: 'resource', resource: { uri: 'note://2', blob: 'Ymlu' } },
    { type: 'resource_link', uri: 'note://3', name: 'third' },
    { type: 'resource_link', uri: 'note://4', name: 'note://4' },
  ]);
});

it.each([undefined, null, 'text', [], {}, { blocks: 'none' }])('has no content for a result without blocks: %j', result => {
  expect(contentOfBlocks(result)).toEqual([]);
});
