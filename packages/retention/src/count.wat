;; Counts line ends and characters in UTF-8, and says whether it is UTF-8.
;;
;; The bytes lie at the beginning of the memory and are followed by zeros up to a multiple of 64. Plain ASCII is looked at 64
;; bytes at a time. Other text is checked 16 bytes at a time with three tables: J. Keiser and D. Lemire, "Validating UTF-8 In
;; Less Than One Instruction Per Byte", Software: Practice and Experience 51 (2021), https://arxiv.org/abs/2010.03090.
;;
;; count-module.ts holds this in binary form, and its test says so.
(module
  (memory (export "memory") 1)
  (global $newlines (export "newlines") (mut i32) (i32.const 0))
  ;; Bytes that are not the first of their character.
  (global $continuations (export "continuations") (mut i32) (i32.const 0))

  ;; 0 if all is well-formed; a character that the end cuts off is not seen.
  (func (export "count") (param $length i32) (result i32)
    (local $at i32)
    (local $stop i32)
    (local $ends i32)
    (local $followers i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    ;; The 16 bytes before, or zeros.
    (local $before v128)
    (local $wrong v128)
    ;; The bytes as they were one, two and three places earlier.
    (local $one v128) (local $two v128) (local $three v128)

    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $a (v128.load offset=0 (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))
        (local.set $ends
          (i32.add (local.get $ends)
            (i32.add
              (i32.add
                (i32.popcnt (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 10)))))
                (i32.popcnt (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 10))))))
              (i32.add
                (i32.popcnt (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 10)))))
                (i32.popcnt (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 10)))))))))
        (local.set $stop (i32.add (local.get $at) (i32.const 64)))

        (if
          ;; Is any byte no ASCII, here or right before?
          (i8x16.bitmask
            (v128.or (local.get $before)
              (v128.or
                (v128.or (local.get $a) (local.get $b))
                (v128.or (local.get $c) (local.get $d)))))
          (then
            (loop $vector
              (local.set $a (v128.load (local.get $at)))
              (local.set $followers
                (i32.add (local.get $followers)
                  (i32.popcnt (i8x16.bitmask (i8x16.lt_s (local.get $a) (i8x16.splat (i32.const -64)))))))
              (local.set $one
                (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $before) (local.get $a)))
              (local.set $two
                (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $before) (local.get $a)))
              (local.set $three
                (i8x16.shuffle 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 (local.get $before) (local.get $a)))
              (local.set $wrong
                (v128.or (local.get $wrong)
                  (v128.xor
                    ;; The tables: each bit is a way in which a byte and the one before it can be wrong together.
                    (v128.and
                      (v128.and
                        (i8x16.swizzle
                          (v128.const i8x16 0x02 0x02 0x02 0x02 0x02 0x02 0x02 0x02 0x80 0x80 0x80 0x80 0x21 0x01 0x15 0x49)
                          (i8x16.shr_u (local.get $one) (i32.const 4)))
                        (i8x16.swizzle
                          (v128.const i8x16 0xe7 0xa3 0x83 0x83 0x8b 0xcb 0xcb 0xcb 0xcb 0xcb 0xcb 0xcb 0xcb 0xdb 0xcb 0xcb)
                          (v128.and (local.get $one) (i8x16.splat (i32.const 15)))))
                      (i8x16.swizzle
                        (v128.const i8x16 0x01 0x01 0x01 0x01 0x01 0x01 0x01 0x01 0xe6 0xae 0xba 0xba 0x01 0x01 0x01 0x01)
                        (i8x16.shr_u (local.get $a) (i32.const 4))))
                    ;; The third and fourth byte of a character have to be, and only they may be, a second one in a row.
                    (v128.and
                      (v128.or
                        (i8x16.sub_sat_u (local.get $two) (i8x16.splat (i32.const 0x60)))
                        (i8x16.sub_sat_u (local.get $three) (i8x16.splat (i32.const 0x70))))
                      (i8x16.splat (i32.const 0x80))))))
              (local.set $before (local.get $a))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $vector (i32.lt_u (local.get $at) (local.get $stop))))))
        (local.set $at (local.get $stop))
        (br $block)))

    (global.set $newlines (local.get $ends))
    (global.set $continuations (local.get $followers))
    (v128.any_true (local.get $wrong))))
