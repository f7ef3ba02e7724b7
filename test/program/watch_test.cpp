/// sluice watch, spoken to over a socket as a browser would; and runs that are not finished.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kPatience = 20s;  // on a machine that is busy with other tests

const std::vector<std::string> kSmall{"run",    "localization", "--set", "network.hidden=4",
                                      "--set",  "task.n=12",    "--set", "probe.samples=100",
                                      "--quiet"};
std::vector<std::string> small_run(const std::vector<std::string>& more) {
  std::vector<std::string> words = kSmall;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

template <class Condition>
bool wait_for(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

struct Address {
  int port = 0;
  std::string path;  // "/5f0c…/"
};

/// Of a watch that has printed it.
Address address_of(const test::Process& watch) {
  EXPECT_TRUE(wait_for([&] { return watch.out().find('\n') != std::string::npos; }));
  const std::string address = watch.out().substr(0, watch.out().find('\n'));
  const std::string front = "http://127.0.0.1:";
  EXPECT_EQ(address.find(front), 0U) << address;
  const std::size_t slash = address.find('/', front.size());
  return {std::stoi(address.substr(front.size(), slash - front.size())), address.substr(slash)};
}

/// The whole answer to a request, head and body.
std::string answer(int port, const std::string& request) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&there), sizeof there), 0);
  ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);  // one that is let go at once gets no answer
  std::string all;
  char piece[4096];
  for (ssize_t got = 0; (got = ::recv(socket, piece, sizeof piece, 0)) > 0;)
    all.append(piece, static_cast<std::size_t>(got));
  ::close(socket);
  return all;
}

std::string get(const Address& at, const std::string& path, const std::string& host = "",
                const char* verb = "GET") {
  const std::string name = host.empty() ? "127.0.0.1:" + std::to_string(at.port) : host;
  return answer(at.port, std::string(verb) + " " + path + " HTTP/1.1\r\nHost: " + name +
                             "\r\nConnection: close\r\n\r\n");
}
std::string status_of(const std::string& answer) { return answer.substr(0, answer.find("\r\n")); }
std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

TEST(Watch, ShowsThePageToWhoKnowsTheWordAndToNobodyElse) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice(small_run({"--set", "dynamics.steps=20", "--out", "r"}), folder.path()).code, 0);
  test::Process watch({"watch", "r"}, folder.path());
  const Address at = address_of(watch);
  ASSERT_EQ(at.path.size(), 34U) << at.path;
  const std::string page = get(at, at.path);
  EXPECT_EQ(status_of(page), "HTTP/1.1 200 OK");
  EXPECT_NE(page.find("Non-Gaussian data localizes receptive fields"), std::string::npos);
  const auto data = nlohmann::json::parse(body_of(get(at, at.path + "data.json")));
  for (const nlohmann::json& fact : data.at("runs").at(0).at("facts"))  // which the page renews
    EXPECT_NE(page.find("<dt>" + fact.at(0).get<std::string>() + "</dt><dd>"), std::string::npos) << fact;
  EXPECT_EQ(data.at("live").at("finished"), true);
  EXPECT_EQ(data.at("runs").at(0).at("step").back(), 20);
  EXPECT_EQ(status_of(get(at, at.path, "localhost:" + std::to_string(at.port))), "HTTP/1.1 200 OK");

  std::string other = at.path;
  other[5] = other[5] == '0' ? '1' : '0';
  const std::string missing = "HTTP/1.1 404 Not Found";
  EXPECT_EQ(status_of(get(at, other)), missing);
  EXPECT_EQ(status_of(get(at, "/")), missing);
  EXPECT_EQ(status_of(get(at, at.path + "../r/spec.toml")), missing);
  EXPECT_EQ(status_of(get(at, at.path + "record.npz")), missing);
  EXPECT_EQ(status_of(get(at, at.path, "attacker.example")), missing) << "a page elsewhere that points here";
  EXPECT_EQ(status_of(get(at, at.path, "", "POST")), "HTTP/1.1 405 Method Not Allowed");
  const std::string head = get(at, at.path, "", "HEAD");
  EXPECT_EQ(status_of(head), "HTTP/1.1 200 OK");
  EXPECT_EQ(body_of(head), "");
  answer(at.port, "GET / HTTP/1.1\r\n" + std::string(100'000, 'x') + "\r\n\r\n");  // too long: cut off
  EXPECT_EQ(status_of(get(at, at.path)), "HTTP/1.1 200 OK") << "and it goes on";

  watch.signal(SIGINT);
  EXPECT_EQ(watch.wait().code, 0);
}

TEST(Watch, GoesOnWhereAnEntryCannotBeLookedAt) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice(small_run({"--set", "dynamics.steps=20", "--out", "r"}), folder.path()).code, 0);
  test::Process watch({"watch", "r"}, folder.path());
  const Address at = address_of(watch);
  for (const char* name : {"checkpoint.npz", "run.json", "record.npz"}) {
    std::filesystem::remove(folder.path() / "r" / name);
    std::filesystem::create_symlink(name, folder.path() / "r" / name);  // a link to itself
    std::this_thread::sleep_for(std::chrono::milliseconds(600));        // it looks twice a second
    EXPECT_NE(get(at, at.path), "") << name;
  }
  watch.signal(SIGINT);
  const auto end = watch.wait();
  EXPECT_EQ(end.code, 0);
}

/// Who holds all the connections there may be, and says nothing, is let go after ten seconds.
TEST(Watch, IsNotHeldUpByWhoSaysNothing) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice(small_run({"--set", "dynamics.steps=20", "--out", "r"}), folder.path()).code, 0);
  test::Process watch({"watch", "r"}, folder.path());
  const Address at = address_of(watch);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(at.port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::vector<int> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(::connect(silent.back(), reinterpret_cast<const sockaddr*>(&there), sizeof there), 0);
    if (i % 2 == 0) {
      EXPECT_EQ(::send(silent.back(), "GET /", 5, MSG_NOSIGNAL), 5);
    }
  }
  EXPECT_NE(status_of(get(at, at.path)), "HTTP/1.1 200 OK") << "there were more connections than it takes";
  EXPECT_TRUE(wait_for([&] { return status_of(get(at, at.path)) == "HTTP/1.1 200 OK"; }));
  for (const int each : silent) ::close(each);
  watch.signal(SIGINT);
  EXPECT_EQ(watch.wait().code, 0);
}

TEST(Watch, ARunAtWorkIsSeenAndNotDisturbed) {
  const test::TempFolder folder;
  const auto words = [&](const char* out) {
    return small_run({"--set", "dynamics.steps=120000", "--set", "probe.every=4000", "--out", out});
  };
  test::Process run(words("r"), folder.path());
  ASSERT_TRUE(wait_for([&] { return fs::exists(folder / "r/spec.toml"); }));
  test::Process watch({"watch", "r"}, folder.path());
  const Address at = address_of(watch);
  std::vector<std::int64_t> seen;
  ASSERT_TRUE(wait_for([&] {
    const auto data = nlohmann::json::parse(body_of(get(at, at.path + "data.json")));
    if (!data.at("runs").empty()) seen.push_back(data.at("runs").at(0).at("step").back());
    return data.contains("live") && data.at("live").at("finished") == true;
  }));
  EXPECT_EQ(seen.back(), 120000);
  EXPECT_LT(seen.front(), 120000) << "nothing was seen before the end";
  EXPECT_EQ(run.wait().code, 0);
  watch.signal(SIGTERM);
  EXPECT_EQ(watch.wait().code, 0);
  EXPECT_FALSE(fs::exists(folder / "r/.sluice-watched"));
  ASSERT_EQ(test::sluice(words("alone"), folder.path()).code, 0);
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), file::read_text(folder / "alone/record.npz"));
}

TEST(Watch, ASweepIsDoneWhenItsLastPointIs) {
  const test::TempFolder folder;
  std::vector<std::string> words =
      small_run({"--set", "dynamics.steps=2000", "--over", "seed=1..4", "--out", "s"});
  words[0] = "sweep";
  test::Process sweep(words, folder.path());
  ASSERT_TRUE(wait_for([&] { return fs::exists(folder / "s/sweep.json"); }));
  test::Process watch({"watch", "s"}, folder.path());
  const Address at = address_of(watch);
  std::size_t most = 0;
  EXPECT_TRUE(wait_for([&] {
    const auto data = nlohmann::json::parse(body_of(get(at, at.path + "data.json")));
    most = std::max(most, data.at("runs").size());
    return data.contains("live") && data.at("live").at("finished") == true;
  }));
  EXPECT_EQ(most, 4U);
  EXPECT_EQ(sweep.wait().code, 0);
  watch.signal(SIGINT);
  EXPECT_EQ(watch.wait().code, 0);
}

TEST(Watch, WhatIsNoRunIsRefused) {
  const test::TempFolder folder;
  fs::create_directory(folder / "empty");
  const test::Said said = test::sluice({"watch", "empty"}, folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "sluice: empty: expected the folder of a run, with spec.toml, or of a sweep, with sweep.json\n");
  EXPECT_TRUE(fs::is_empty(folder / "empty"));
}

TEST(Unfinished, AKilledRunHasItsPageAndFigures) {
  const test::TempFolder folder;
  test::Process run(small_run({"--set", "dynamics.steps=100000000", "--checkpoint-every", "0", "--out", "r"}),
                    folder.path());
  ASSERT_TRUE(wait_for([&] { return fs::exists(folder / "r/checkpoint.npz"); }));
  std::this_thread::sleep_for(200ms);
  const test::Said busy = test::sluice({"report", "r", "--out", "busy.html"}, folder.path());
  EXPECT_EQ(busy.code, 0) << busy.err;
  run.signal(SIGKILL);
  run.wait();
  EXPECT_FALSE(fs::exists(folder / "r/record.npz"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"report", "r", "--out", "page.html"},
                                                {"figure", "r", "learning", "--out", "learning.svg"},
                                                {"probe", "r", "ipr", "--out", "ipr.npz"}}) {
    const test::Said said = test::sluice(words, folder.path());
    EXPECT_EQ(said.code, 0) << words[0] << ": " << said.err;
    EXPECT_TRUE(fs::exists(folder / words.back())) << words.back();
  }
}

}  // namespace
}  // namespace sluice
