// A stream's buffer over a file descriptor that remembers why a write failed, which a stream of the
// standard library does not tell.
//
// Ownership: the descriptor stays the caller's and must outlive the buffer. Thread-safety: none.
// Errors: after a failed write the stream is bad and nothing more is written. What is not flushed
// when the buffer goes is lost.
#ifndef GANGPACK_SERVER_DESCRIPTOR_BUFFER_H_
#define GANGPACK_SERVER_DESCRIPTOR_BUFFER_H_

#include <array>
#include <streambuf>

namespace gangpack::server {

class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);

  // The errno of the write that failed; 0 if none did.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type character) override;
  int sync() override;

 private:
  bool WriteOut();

  const int descriptor_;
  int error_ = 0;
  std::array<char, 65536> bytes_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DESCRIPTOR_BUFFER_H_
