#include "tests/unit/server/random_extender_body.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gangpack::server {
namespace {

using namespace std::string_view_literals;

class BodyWriter {
 public:
  explicit BodyWriter(uint64_t seed) : random_(seed) {}

  std::string Body() {
    if (OneIn(40)) {
      Value(2);
    } else {
      Object({{"Pod"sv, [this] { Pod(); }},
              {"NodeNames"sv, [this] { Names(); }},
              {"Nodes"sv, [this] { Nodes(); }}},
             true);
    }
    Space();
    if (OneIn(3)) Damage();
    return std::move(out_);
  }

 private:
  struct Member {
    std::string_view key;
    std::function<void()> write;
  };

  size_t Below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  std::string_view AnyOf(const std::vector<std::string_view>& texts) {
    return texts[Below(texts.size())];
  }

  void Space() {
    while (OneIn(12)) out_ += AnyOf({" ", "\n", "\t", "\r", " \r\n  "});
  }

  // The members in any order, now and then one that is missing, repeated, null or of another kind,
  // and others between them.
  void Object(std::vector<Member> members, bool odd_case) {
    for (size_t i = members.size(); i > 1; --i) std::swap(members[i - 1], members[Below(i)]);
    if (OneIn(12)) members.push_back(members[Below(members.size())]);
    out_ += '{';
    bool first = true;
    const auto begin_member = [&](std::string_view key, bool exact) {
      if (!first) out_ += ',';
      first = false;
      Space();
      Key(key, odd_case && !exact);
      Space();
      out_ += ':';
      Space();
    };
    for (const Member& member : members) {
      if (OneIn(40)) continue;
      if (OneIn(10)) {
        begin_member(AnyOf({"spec", "status", "metadatA", "Podd", "", "Node", "uid2"}), true);
        Value(3);
        Space();
      }
      begin_member(member.key, OneIn(2));
      if (OneIn(20)) {
        out_ += "null";
      } else if (OneIn(40)) {
        Value(2);
      } else {
        member.write();
      }
      Space();
    }
    out_ += '}';
  }

  void Key(std::string_view key, bool odd_case) {
    out_ += '"';
    const bool escaped = OneIn(15);
    for (char c : key) {
      if (odd_case && OneIn(3)) c = static_cast<char>(c ^ 0x20);
      if (escaped && OneIn(3)) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out_ += "\\u00";
        out_ += kDigits[static_cast<size_t>(c) >> 4];
        out_ += kDigits[static_cast<size_t>(c) & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  void String() {
    out_ += '"';
    for (size_t parts = Below(4) + (OneIn(20) ? 0 : 1); parts > 0; --parts) {
      out_ +=
          AnyOf({"node-", "gke-cluster-pool-a1b2c3d4-00042", "x", "\\u003c", "\\n", "\\\"", "\\\\",
                 "\\/", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\\ud83d\\ude00", "\\u00E9",
                 "a longer piece of plain text, without end", "\x7F", "\\u0000", "\\b\\f\\r\\t"});
    }
    out_ += '"';
  }

  void List(size_t length_max, const std::function<void()>& element) {
    out_ += '[';
    for (size_t i = 0, length = Below(length_max + 1); i < length; ++i) {
      if (i > 0) out_ += ',';
      Space();
      element();
      Space();
    }
    out_ += ']';
  }

  void Value(int depth) {
    const size_t kind = Below(depth > 0 ? 6 : 4);
    if (kind == 0) {
      out_ += AnyOf({"null", "true", "false"});
    } else if (kind == 1) {
      out_ += AnyOf({"0", "-0", "17", "-3.25", "1e5", "1E-7", "9007199254740993", "0.5e+2"});
    } else if (kind < 4) {
      String();
    } else if (kind == 4) {
      List(3, [this, depth] { Value(depth - 1); });
    } else {
      Object({{"a"sv, [this, depth] { Value(depth - 1); }},
              {"items"sv, [this, depth] { Value(depth - 1); }}},
             false);
    }
  }

  void Metadata(bool whole) {
    std::vector<Member> members = {{"name"sv, [this] { String(); }}};
    if (whole) {
      members.push_back({"uid"sv, [this] { String(); }});
      members.push_back({"namespace"sv, [this] { String(); }});
      members.push_back({"labels"sv, [this] { Value(2); }});
    }
    Object(members, false);
  }
  void Pod() {
    Object({{"metadata"sv, [this] { Metadata(true); }}, {"spec"sv, [this] { Value(4); }}}, false);
  }
  void Node() {
    Object({{"metadata"sv, [this] { Metadata(false); }}, {"status"sv, [this] { Value(2); }}},
           false);
  }
  void Names() {
    List(8, [this] {
      if (OneIn(60)) {
        Value(2);
      } else {
        String();
      }
    });
  }
  void Nodes() {
    Object({{"metadata"sv, [this] { out_ += "{}"; }},
            {"items"sv, [this] { List(3, [this] { Node(); }); }}},
           false);
  }

  // One to three bytes or tokens are cut out, put in or changed, or the end is missing.
  void Damage() {
    for (size_t times = Below(3) + 1; times > 0 && !out_.empty(); --times) {
      const size_t at = Below(out_.size());
      switch (Below(4)) {
        case 0:
          out_.erase(at, Below(4) + 1);
          break;
        case 1:
          out_.insert(at, AnyOf({"\"",
                                 "\\",
                                 "{",
                                 "}",
                                 "[",
                                 "]",
                                 ",",
                                 ":",
                                 "\0"sv,
                                 "\xFF",
                                 "\xC0",
                                 "\xED\xA0\x80",
                                 "\\ud800",
                                 "\\udc00",
                                 "01",
                                 "1.",
                                 "-",
                                 "+1",
                                 ".5",
                                 "1e",
                                 "nul",
                                 "NaN",
                                 "//",
                                 "\x01",
                                 "\xEF\xBB\xBF",
                                 "'",
                                 "tru",
                                 "\xE2\x82",
                                 "\\u12",
                                 "\\x"}));
          break;
        case 2:
          out_[at] = static_cast<char>(Below(256));
          break;
        default:
          if (OneIn(3)) out_.resize(at);
      }
    }
  }

  std::mt19937_64 random_;
  std::string out_;
};

}  // namespace

std::string RandomExtenderBody(uint64_t seed) { return BodyWriter(seed).Body(); }

}  // namespace gangpack::server
