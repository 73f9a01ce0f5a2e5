import { StringDecoder } from 'node:string_decoder';

/** A line that is longer is not one of ours. */
const maxLineChars = 8 * 1024 * 1024;

/** Lines of a UTF-8 stream, without their ends; empty ones left out. @throws RangeError on an endless line */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.write(chunk)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > maxLineChars) throw new RangeError('A line of the stream is too long.');
    for (const line of parts) if (line) yield line;
  }
}
