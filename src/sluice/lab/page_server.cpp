#include "sluice/lab/page_server.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <random>
#include <utility>

#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

namespace {

constexpr int kMostConnections = 64;
constexpr std::chrono::seconds kPatience{10};  // with a connection on which nothing comes
constexpr std::uint32_t kLongestHeader = 16 * 1024;

/// 128 bits from the system's source of randomness, in hexadecimal digits.
std::string random_word() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
}

[[noreturn]] void no_page(int port, const beast::error_code& error) {
  throw IoError(fmt::format("the page cannot be served at {} of 127.0.0.1: {}",
                            port == 0 ? "any port" : fmt::format("port {}", port), error.message()));
}

}  // namespace

class PageServer::Listener {
 public:
  Listener(int port, Find find)
      : find_(std::move(find)), word_(random_word()), acceptor_(context_), pause_(context_) {
    beast::error_code error;
    const tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
    acceptor_.open(here.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(here, error);
    if (!error) acceptor_.listen(kMostConnections, error);
    if (error) no_page(port, error);
    port_ = acceptor_.local_endpoint().port();
  }

  std::string address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, word_); }

  void serve_for(std::chrono::milliseconds time) {
    if (!std::exchange(accepting_, true)) accept();
    context_.restart();
    context_.run_for(time);
  }

 private:
  using Request = http::request<http::empty_body>;
  using Response = http::response<http::string_body>;

  /// One connection: requests one after the other until it closes.
  class Connection : public std::enable_shared_from_this<Connection> {
   public:
    Connection(tcp::socket socket, Listener& listener) : stream_(std::move(socket)), listener_(listener) {
      listener_.connections_ += 1;
    }
    ~Connection() { listener_.connections_ -= 1; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void read() {
      parser_.emplace();
      parser_->header_limit(kLongestHeader);
      parser_->body_limit(0);
      stream_.expires_after(kPatience);
      http::async_read(stream_, buffer_, *parser_,
                       [self = shared_from_this()](beast::error_code error, std::size_t) {
                         if (!error) self->answer();
                       });
    }

   private:
    void answer() {
      response_ = listener_.answer(parser_->get());
      stream_.expires_after(kPatience);
      http::async_write(stream_, response_,
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          if (!error && self->response_.keep_alive()) self->read();
                        });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
    Listener& listener_;
  };

  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // no descriptors left, for one: not again at once
        pause_.expires_after(std::chrono::milliseconds(200));
        return pause_.async_wait([this](beast::error_code stopped) {
          if (!stopped) accept();
        });
      }
      if (connections_ < kMostConnections) std::make_shared<Connection>(std::move(socket), *this)->read();
      accept();
    });
  }

  bool meant_for_us(const Request& request) const {
    const beast::string_view host = request[http::field::host];
    const std::string port = port_ == 80 ? "" : fmt::format(":{}", port_);  // browsers leave out HTTP's own
    return host == "127.0.0.1" + port || host == "localhost" + port;
  }

  Response answer(const Request& request) const {
    const bool reads = request.method() == http::verb::get || request.method() == http::verb::head;
    const std::string target = std::string(request.target()).substr(0, request.target().find('?'));
    const std::string front = "/" + word_ + "/";
    std::optional<Served> found;
    http::status status = http::status::not_found;
    if (!reads) {
      status = http::status::method_not_allowed;
    } else if (meant_for_us(request) && target.starts_with(front)) {
      found = find_(target.substr(front.size()));
      if (found) status = http::status::ok;
    }
    Response response(status, request.version());
    response.set(http::field::content_type, found ? found->type : "text/plain");
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.keep_alive(request.keep_alive());
    if (found) response.body() = std::move(found->body);
    response.prepare_payload();
    if (request.method() == http::verb::head) response.body().clear();  // its length is still told
    return response;
  }

  Find find_;
  std::string word_;
  std::uint16_t port_ = 0;
  int connections_ = 0;
  bool accepting_ = false;
  asio::io_context context_{1};  // before the acceptor and after what connections, which it keeps, look at
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
};

PageServer::PageServer(int port, Find find) try
    : listener_(std::make_unique<Listener>(port, std::move(find))) {
} catch (const beast::system_error& failure) {  // before there is a port: asio could not begin
  no_page(port, failure.code());
}
PageServer::~PageServer() = default;

std::string PageServer::address() const { return listener_->address(); }

void PageServer::serve_for(std::chrono::milliseconds time) { listener_->serve_for(time); }

}  // namespace sluice::lab
