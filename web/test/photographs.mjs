// A small set in the format of CIFAR-10, which stands in for it wherever a page shows a run on photographs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

const side = 32;
const kind = (row) => row % 10;

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const words = Buffer.alloc(8);
  words.writeUInt32BE(data.length, 0);
  words.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([words.subarray(0, 4), body, words.subarray(4)]);
}

/// A PNG with a row for every image: a bright bar whose height is the class, in one of the colours, on pixels that differ from image to image.
function images(count, seed) {
  const width = side * side;
  const rows = Buffer.alloc(count * (1 + 3 * width));
  for (let row = 0; row < count; ++row) {
    for (let at = 0; at < 3 * width; ++at) {
      const line = Math.floor(at / 3 / side);
      const bar = Math.floor(line / 3) === kind(row) && line % 3 < 2 && at % 3 === kind(row) % 3;
      rows[row * (1 + 3 * width) + 1 + at] = bar ? 250 : (at * 7919 + (row + seed) * (row + seed) * 31) % 200;
    }
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(count, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

const labels = (count) => JSON.stringify(Array.from({ length: count }, (_, row) => kind(row)));

/// 200 photographs to train on, 40 of them of the classes 0 and 1, and 50 to test.
export function writePhotographs(folder) {
  mkdirSync(folder);
  for (let batch = 0; batch < 5; ++batch) writeFileSync(join(folder, `data_batch_${batch + 1}.png`), images(40, 40 * batch));
  writeFileSync(join(folder, "test_batch.png"), images(50, 1000));
  writeFileSync(join(folder, "train_lables.json"), labels(200));
  writeFileSync(join(folder, "test_lables.json"), labels(50));
}
