/// The eight files of CIFAR-10 (Krizhevsky 2009): 50,000 training and 10,000 test images of 32 × 32 pixels in three colours.
/// Six PNGs of 10,000 rows, each row an image: pixel 32·y + x of a row is that of row y and column x. Two JSON lists have
/// their labels, the training batches one after the other. The package writes "lables", and so do we: who takes the files
/// out of it by hand finds them under these names.
#pragma once

#include <array>

#include "sluice/data/data_file.hpp"

namespace sluice::data {

inline constexpr std::array<DataFile, 8> kCifar10Files{{
    {"data_batch_1.png", 23'138'647, "9a148385817b16e1840832575ee46ccac2ced61a305f07d4804805773c64e9bc", "",
     false},
    {"data_batch_2.png", 23'162'285, "47d610b8eb06af0c885fc499afc396d55f3a029b865725720a4f10474aac9d6f", "",
     false},
    {"data_batch_3.png", 23'174'917, "ca5d6af61c1791820d0fa2b0a842a73ed48978b698d74c26531d2c80373d4c10", "",
     false},
    {"data_batch_4.png", 23'142'959, "b9342d4f3cc3db72a731ca8ceb196a37d61480ea2da598ed0b32b74339bd04a5", "",
     false},
    {"data_batch_5.png", 23'112'461, "183d6d9af763804a99e1a6d8af723b9cfe906a61276466041dea4511ce015144", "",
     false},
    {"train_lables.json", 100'001, "a3a0d804911c71de4b73015af980e237de5f82da7b1482a8efaf7adcc1722f45", "",
     false},
    {"test_batch.png", 23'141'302, "ca44572a4066ea28c710ad4dc633d2ce24469a5e869ede5cc69495b0ef4c7d09", "",
     false},
    {"test_lables.json", 20'001, "a5df9ed6f395827dd69906fe5ac740be70395ca9d841974d4351818628b48bb6", "",
     false},
}};

}  // namespace sluice::data
