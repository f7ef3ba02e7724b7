// A small set in MNIST's format, which stands in for MNIST wherever a page shows a run on images.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/// IDX: a big-endian header, then one byte per element.
function idx(header, bytes) {
  const words = Buffer.alloc(4 * header.length);
  header.forEach((word, i) => words.writeUInt32BE(word, 4 * i));
  return Buffer.concat([words, bytes]);
}

const side = 28;
const digit = (row) => row % 10;
const labels = (count) => idx([2049, count], Buffer.from(Array.from({ length: count }, (_, row) => digit(row))));

/// A bright bar whose height is the digit, on pixels that differ from image to image.
function images(count) {
  const pixels = Buffer.alloc(count * side * side);
  for (let at = 0; at < pixels.length; ++at) {
    const row = Math.floor(at / (side * side));
    const line = Math.floor((at % (side * side)) / side);
    pixels[at] = Math.floor(line / 2) === 2 + digit(row) ? 255 : (at * 7919 + row * row) % 64;
  }
  return idx([2051, count, side, side], pixels);
}

/// 640 images to train on, 128 of them fours and sevens, and 160 to test.
export function writeDigits(folder) {
  mkdirSync(folder);
  for (const [part, count] of [["train", 640], ["t10k", 160]]) {
    writeFileSync(join(folder, `${part}-images-idx3-ubyte`), images(count));
    writeFileSync(join(folder, `${part}-labels-idx1-ubyte`), labels(count));
  }
}
